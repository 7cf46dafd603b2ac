"""What is said at a table, spoken by synthetic voices into synthetic rooms; no sound is kept."""

from __future__ import annotations

import hashlib
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

RATE = 16_000
Sound = NDArray[np.float32]

COMMANDS = (
    "i choose card seven",
    "i choose card nine",
    "i pick card twelve",
    "i take card thirty one",
    "i go for card forty",
    "i choose card fifty eight",
    "i choose number four",
    "i pick number eighteen please",
    "red chooses card twelve",
    "blue chooses card twenty",
    "yellow picks card five",
    "black takes card thirty three",
    "white goes for card sixteen",
    "purple chooses card eleven",
    "madam wang picks card nine",
    "card seven for blue",
    "card twenty one for red",
    "card fifty for white",
    "i change to card nine",
    "i change to card forty two",
    "i agree with red",
    "i disagree with blue",
    "red agrees with blue",
    "yellow agrees with purple",
    "alma disagrees with alphonse",
    "white disagrees with black",
    "blue withdraws",
    "blue withdraws from red",
    "red has a vision",
    "yellow has two visions",
    "how much time is left",
    "what hour is it",
    "repeat that",
    "who has not chosen",
    "what can we do now",
    "what is on the table",
    "how many crows are left",
    "where are we",
    "we are ready",
    "undo that",
    "take that back",
    "pause",
    "continue",
    "louder",
    "quieter",
    "be quiet",
    "yes",
    "no",
    "stop listening",
    "wake up",
    "turn the sand",
    "begin the seance",
    "we are five players",
    "we are three players",
    "there are six of us",
    "medium",
    "hard",
    "the original rules",
    "red and blue are playing",
    "alma is playing",
    "all but black",
    "skip the story",
    "group three",
    "i vote for group two",
    "red votes for group four",
    "purple votes for group one",
    "we have voted",
    "red points at group two",
    "we accuse group two",
    "the eldest is alma",
    "the ghost has spoken",
    "end the seance",
    "i am madam wang",
    "i am red",
    "i choose card thirteen",
    "i choose card forty five",
    "i choose card twenty eight",
    "red chooses card thirty",
    "blue picks card nineteen",
    "i choose card fifty",
)
"""Sentences that must be heard."""

TALK = (
    "i would choose the kitchen",
    "seven of these cards have water on them",
    "that one looks like a dream about the sea",
    "are you sure about that",
    "no no no that cannot be the library",
    "i think the ghost is trying to tell us something",
    "maybe it is the colour and not the shape",
    "could you pass me the crisps",
    "red wine or white wine",
    "you chose that one last time and it was wrong",
    "i would not take that if i were you",
    "there is a clock in the corner of the picture",
    "what if the ghost means the number of windows",
    "she always picks the weird ones",
    "who left the door open",
    "do not look at me i have no idea",
    "the blue one is pretty but the red one fits",
    "yes but look at the feather",
    "no way that is the garden",
    "it is definitely the gardener",
    "how many times have you played this",
    "i saw two crows in the garden this morning",
    "we were ready ten minutes ago",
    "wait let me think about it for a moment",
    "my card has a ladder and a moon",
    "this vision makes no sense at all",
    "he said he would choose later",
    "pick whatever you like it does not matter",
    "the ghost has been silent all evening",
    "we could vote for pizza afterwards",
    "i agree that it is strange",
    "nobody agrees with anybody here",
    "i was going to say the same thing",
    "there were seven people at the party",
    "i have twenty euros in my pocket",
    "the car is parked on the other side",
    "take your time there is no rush",
    "time flies when you are having fun",
    "what time did you say the train leaves",
    "my sister has a black cat",
    "the white room is bigger than the others",
    "purple is such a nice colour for a dress",
    "do you think it could be the theatre",
    "i choose to believe that he meant it",
    "the cards are all mixed up again",
    "card games are more fun in winter",
    "number seven bus stops right outside",
    "we live at number nine",
    "i picked the wrong road on the way here",
    "she goes for long walks by the sea",
    "let us order some food first",
    "the music is too loud in here",
    "can you speak a little louder please i cannot hear you",
    "be quiet the neighbours are asleep i think",
    "he is the quietest person i know",
    "turn the light on for a second",
    "the sand on the beach was very hot",
    "pause the film when you go out",
    "continue reading the next chapter tomorrow",
    "i will be back in five minutes",
    "five of us went to the lake",
    "they said it would be hard but it was easy",
    "medium rare if you please",
    "the story was rather long last time",
    "skip the boring parts",
    "begin at the beginning",
    "i wake up at six in the morning",
    "stop pulling my sleeve",
    "that group of people looks lost",
    "we took the group photograph in the hall",
    "the eldest of my brothers lives in spain",
    "alma used to be a nurse",
    "my aunt is called alma",
    "who do you accuse of cheating",
    "i vote we open another bottle",
    "she voted for the other party",
    "the red scarf points towards the stairs",
    "where are we going for the holidays",
    "where are the scissors",
    "what is that on the table next to the lamp",
    "what can i do for you",
    "who has not eaten yet raise your hand",
    "repeat after me one two three",
    "undo the top button it is warm",
    "take that chair back to the kitchen",
    "yes yes yes of course",
    "no i do not think so",
    "yes please with milk and sugar",
    "no thank you i am full",
    "i am reading a book about ghosts",
    "i am red with shame",
    "we are all tired",
    "we are late again",
    "the kitchen knife lies beside the rope",
    "a candlestick in the conservatory sounds right",
    "look at the hands they are pointing up",
    "it could be the colour the shape or the number",
    "last time the ghost gave me four visions for one place",
    "forty two is the answer to everything",
    "my grandmother is eighty five",
    "it was thirty degrees in the shade",
    "one of them is sleeping",
    "two of you should sit over here",
    "three times in a row what a coincidence",
    "give me four good reasons",
    "there are eleven players in a football team",
    "the blue car withdrew from the race",
    "have you seen my glasses anywhere",
    "i withdraw everything i said before",
    "the vision was beautiful but useless",
    "everybody has a vision of the future",
    "this is the hardest one so far",
    "the original film was better",
    "rules are rules my friend",
    "madam may i take your coat",
    "it sounds like somebody is at the door",
    "the seance scene in that film was scary",
    "end of the road for us i fear",
    "the spirit of christmas past",
    "i choose",
    "card",
    "i choose the",
    "red chooses a colour",
)
"""Sentences that must not be taken for a command, near misses among them."""


@dataclass(frozen=True, slots=True)
class Voice:
    """One synthetic voice: an engine, the name it gives the voice, and how fast it speaks."""

    name: str
    engine: str
    option: str
    speed: float = 1.0
    """Relative to the engine's ordinary pace."""
    pitch: int = 50
    """0 to 99, espeak-ng only."""
    held_out: bool = False
    """Not among the voices that numbers were fitted to; its mistakes were seen, so this is no blind test."""


VOICES = (
    Voice("espeak american man", "espeak-ng", "en-us"),
    Voice("espeak british woman", "espeak-ng", "en-gb+f2", pitch=60),
    Voice("espeak scottish man", "espeak-ng", "en-gb-scotland+m3", speed=0.9),
    Voice("espeak american woman, fast", "espeak-ng", "en-us+f4", speed=1.15, pitch=65),
    Voice("espeak lancaster man, slow", "espeak-ng", "en-gb-x-gbclan+m7", speed=0.85, pitch=35),
    Voice("flite kal", "flite", "kal16"),
    Voice("flite rms", "flite", "rms", speed=1.05),
    Voice("espeak caribbean woman", "espeak-ng", "en-029+f5", held_out=True),
    Voice("espeak received man, fast", "espeak-ng", "en-gb-x-rp+m5", speed=1.1, held_out=True),
    Voice("flite awb", "flite", "awb", held_out=True),
    Voice("flite slt", "flite", "slt", speed=1.1, held_out=True),
    Voice("festival ked", "festival", "voice_ked_diphone", held_out=True),
    Voice("festival slt", "festival", "voice_cmu_us_slt_arctic_hts", speed=0.95, held_out=True),
    Voice("piper joe", "piper", "en_US-joe-medium", held_out=True),
)

FRENCH_VOICES = (
    Voice("espeak française", "espeak-ng", "fr-fr+f2", pitch=60),
    Voice("espeak français", "espeak-ng", "fr-fr"),
    Voice("espeak belge", "espeak-ng", "fr-be+m3", speed=0.9),
    Voice("espeak suisse", "espeak-ng", "fr-ch+f4", speed=1.1, held_out=True),
)


class CannotSpeak(RuntimeError):
    """An engine is missing or gave no sound."""


@dataclass(slots=True)
class Studio:
    """Speaks sentences with any voice and remembers the sound in a folder."""

    folder: Path
    piper_voices: Path | None = None
    """Where piper keeps its models, or None when there is none."""
    _piper: dict[str, object] = field(default_factory=dict)

    def can_speak(self, voice: Voice) -> bool:
        """Return whether this machine has the voice."""
        if voice.engine == "piper":
            return self._piper_file(voice) is not None and shutil.which("piper") is not None
        program = "text2wave" if voice.engine == "festival" else voice.engine
        return shutil.which(program) is not None

    def say(self, text: str, voice: Voice) -> Sound:
        """Return *text* in *voice*, without silence at either end, at full scale 0.5."""
        key = hashlib.sha256(repr((text, voice.engine, voice.option, voice.speed, voice.pitch)).encode()).hexdigest()
        kept = self.folder / f"{key[:24]}.npy"
        if kept.exists():
            return np.load(kept)  # type: ignore[no-any-return]
        sound = trim(self._render(text, voice))
        self.folder.mkdir(parents=True, exist_ok=True)
        np.save(kept, sound)
        return sound

    def _piper_file(self, voice: Voice) -> Path | None:
        if self.piper_voices is None:
            return None
        return next(iter(self.piper_voices.rglob(f"{voice.option}.onnx")), None)

    def _render(self, text: str, voice: Voice) -> Sound:
        with tempfile.TemporaryDirectory() as scratch:
            wav = Path(scratch, "said.wav")
            words = Path(scratch, "words.txt")
            words.write_text(text + "\n")
            command = {
                "espeak-ng": [
                    "espeak-ng",
                    "-v",
                    voice.option,
                    "-s",
                    str(round(165 * voice.speed)),
                    "-p",
                    str(voice.pitch),
                    "-w",
                    str(wav),
                    text,
                ],
                "flite": [
                    "flite",
                    "-voice",
                    voice.option,
                    "--setf",
                    f"duration_stretch={1 / voice.speed:.3f}",
                    "-t",
                    text,
                    "-o",
                    str(wav),
                ],
                "festival": [
                    "text2wave",
                    "-o",
                    str(wav),
                    "-eval",
                    f"({voice.option})",
                    "-eval",
                    f"(Parameter.set 'Duration_Stretch {1 / voice.speed:.3f})",
                    str(words),
                ],
                "piper": [
                    "piper",
                    "-m",
                    str(self._piper_file(voice)),
                    "-f",
                    str(wav),
                    "--length-scale",
                    f"{1 / voice.speed:.3f}",
                    "-i",
                    str(words),
                ],
            }[voice.engine]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode or not wav.exists():
                raise CannotSpeak(f"{voice.engine} could not say {text!r}: {done.stderr.strip()[-200:]}")
            samples, rate = soundfile.read(wav, dtype="float32")
        return resampled(samples, rate)


def resampled(samples: Sound, rate: int) -> Sound:
    """Return *samples* at the rate of the ear."""
    return samples if rate == RATE else soxr.resample(samples, rate, RATE).astype(np.float32)


def trim(sound: Sound, under: float = 0.01) -> Sound:
    """Return *sound* scaled to a peak of 0.5, without what lies 40 dB under its peak at either end."""
    loud = np.flatnonzero(np.abs(sound) > under * np.abs(sound).max())
    kept = sound[loud[0] : loud[-1] + 1]
    return (kept * (0.5 / np.abs(kept).max())).astype(np.float32)


def level(sound: Sound) -> float:
    """Return the root mean square of *sound*."""
    return float(np.sqrt(np.mean(np.square(sound, dtype=np.float64))))


def white(seconds: float, chance: random.Random) -> Sound:
    """Return white noise of level 1."""
    return np.random.default_rng(chance.getrandbits(32)).standard_normal(round(seconds * RATE)).astype(np.float32)


def pink(seconds: float, chance: random.Random) -> Sound:
    """Return noise whose power falls with frequency, of level 1."""
    even = white(seconds, chance)
    spectrum = np.fft.rfft(even)
    spectrum /= np.sqrt(np.maximum(np.arange(spectrum.size), 20 * seconds))
    sound = np.fft.irfft(spectrum, even.size)
    return (sound / level(sound)).astype(np.float32)


def talker(studio: Studio, voice: Voice, chance: random.Random, talk: Sequence[str] = TALK) -> Iterator[Sound]:
    """Yield what one guest says all evening, with pauses."""
    while True:
        yield studio.say(chance.choice(talk), voice)
        yield np.zeros(round(chance.uniform(0.1, 0.8) * RATE), np.float32)


def babble(
    seconds: float,
    chance: random.Random,
    studio: Studio,
    voices: Sequence[Voice],
    talk: Sequence[str] = TALK,
    guests: int = 5,
) -> Sound:
    """Return *guests* people talking at once, of level 1."""
    wanted = round(seconds * RATE)
    room = np.zeros(wanted, np.float32)
    for number in range(guests):
        said = talker(studio, voices[number % len(voices)], chance, talk)
        at = -round(chance.uniform(0, 2) * RATE)
        while at < wanted:
            sound = next(said)
            begin, end = max(at, 0), min(at + sound.size, wanted)
            if end > begin:
                room[begin:end] += sound[begin - at : end - at]
            at += sound.size
    return (room / level(room)).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Scene:
    """One command (or piece of table talk) in a room."""

    text: str
    voice: str
    noise: str
    """clean, white, pink or babble"""
    snr: float | None
    """Decibels between the sentence and the noise, None when clean."""
    sound: Sound
    began: float
    ended: float
    """Seconds into the sound at which the sentence begins and its last sound ends."""


def scene(
    text: str,
    voice: Voice,
    noise: str,
    snr: float | None,
    chance: random.Random,
    studio: Studio,
    others: Sequence[Voice],
) -> Scene:
    """Return *text* said in a room whose noise goes on before and after it."""
    said = studio.say(text, voice)
    lead, tail = chance.uniform(0.8, 1.6), chance.uniform(1.5, 2.0)
    before, after = round(lead * RATE), round(tail * RATE)
    sound = np.concatenate([np.zeros(before, np.float32), said, np.zeros(after, np.float32)])
    if snr is not None:
        seconds = sound.size / RATE
        if noise == "babble":
            cast = [other for other in others if other.name != voice.name]
            chance.shuffle(cast)
            room = babble(seconds, chance, studio, cast, guests=chance.randint(4, 6))
        else:
            room = {"white": white, "pink": pink}[noise](seconds, chance)
        sound = sound + room[: sound.size] * np.float32(level(said) / 10 ** (snr / 20))
    sound = sound * np.float32(min(1.0, 0.9 / np.abs(sound).max()))
    return Scene(text, voice.name, noise, snr, sound, before / RATE, (before + said.size) / RATE)


def pcm(sound: Sound) -> bytes:
    """Return *sound* as 16-bit samples."""
    return (np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes()
