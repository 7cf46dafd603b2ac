import pytest

from seance.dialogue.grammar.sentences import Intent, Sentences
from seance.dialogue.grammar.spoken_names import BadNames, Names


@pytest.fixture
def owners(tmp_path):
    def write(text):
        file = tmp_path / "names.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


def test_a_psychic_is_known_by_colour_name_and_title():
    assert {"red", "madam wang", "madam"} <= set(Names.load("en").psychics["red"])


def test_an_owner_names_a_card(owners):
    named = Sentences.load("en", names_file=owners('[cards]\n"the cook" = 7\n'))
    assert named.match("I choose the cook") == Intent("place_intuition", {"card": 7})
    assert named.match("the cook for Alma") == Intent("place_intuition", {"psychic": "yellow", "card": 7})
    assert "i choose the cook" in set(named.narrow(["place_intuition"], cards=[7]).every_phrase())
    assert named.narrow(cards=[8]).match("I choose the cook") is None


def test_an_owner_renames_a_psychic_and_the_rest_stays(owners):
    names = Names.load("en", owners('[psychics.red]\nnames = ["Grandma"]\n'))
    assert names.psychics["red"] == ("red", "grandma", "madam")
    assert names.psychics["blue"] == Names.load("en").psychics["blue"]


def test_a_sound_alike_is_heard_and_the_name_itself_is_only_typed(english):
    phrases = english.phrases(["enrol"], psychics=["white"])
    assert "i am our bashir" in phrases
    assert not any("ardhashir" in phrase for phrase in phrases)
    assert english.match("I am Ardhashir") == english.match("i am our bashir")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "[cards]\n\n'the cook' = 'seven'\n",
            r"names.toml, line 3: cards.the cook must be the number of a card",
        ),
        (
            "[psychics.red]\nname = ['x']\n",
            r"line 2: psychics.red.name is unknown here: use colours, names, titles",
        ),
        ("[levels]\neasy = 'easy'\n", r"line 2: levels.easy must be a list of texts"),
        ("\n[psychics.green]\nnames = []\n", r"line 2: psychics.green is not one of"),
        ("[cards]\n'(the cook' = 7\n", r"line 2: cards.\(the cook must be words such as"),
        ("[cards]\n'the cook]' = 7\n", r"line 2: cards.the cook\] must be words such as"),
        ("[cards]\n'the <cook>' = 7\n", r"line 2: cards.the <cook> must be words such as"),
        ("[cards]\nthe cook = 7\n", r"names.toml: not TOML: .*line 2"),
    ],
)
def test_a_bad_file_names_line_and_key(owners, text, complaint):
    with pytest.raises(BadNames, match=complaint):
        Names.load("en", owners(text))
