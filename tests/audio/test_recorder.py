import logging
import wave

from seance.audio.recorder import Keeper
from tests.hearing.spoken import voice

MUCH = 500_000_000


def length(path):
    with wave.open(str(path)) as file:
        return file.getnframes()


def test_a_file_holds_a_minute(tmp_path):
    keeper = Keeper(tmp_path, rate=10, most=MUCH)
    for _ in range(7):
        keeper.keep(voice()[:100])
    keeper.close()
    assert [(path.name, length(path)) for path in sorted(tmp_path.iterdir())] == [
        ("000001.wav", 600),
        ("000002.wav", 100),
    ]


def test_what_was_kept_before_stays(tmp_path):
    (tmp_path / "000041.wav").touch()
    keeper = Keeper(tmp_path, rate=16000, most=MUCH)
    keeper.keep(voice())
    keeper.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000041.wav", "000042.wav"]


def test_a_disk_that_refuses_is_told_once_and_nothing_more_is_kept(tmp_path, caplog):
    caplog.set_level(logging.WARNING)
    keeper = Keeper(tmp_path / "kept", rate=16000, most=MUCH)
    (tmp_path / "kept").rmdir()
    keeper.keep(voice())
    keeper.keep(voice())
    keeper.close()
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        f"sound is no longer kept in {tmp_path / 'kept'}"
    ]


def test_the_oldest_sound_makes_room_for_the_newest(tmp_path):
    keeper = Keeper(tmp_path, rate=10, most=3_000)
    for _ in range(4 * 6):
        keeper.keep(voice()[:100])
    keeper.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000003.wav", "000004.wav"]


def test_what_others_left_in_the_folder_is_never_removed(tmp_path):
    (tmp_path / "birthday.wav").write_bytes(bytes(9_000))
    keeper = Keeper(tmp_path, rate=10, most=3_000)
    keeper.keep(voice()[:100])
    keeper.close()
    assert (tmp_path / "birthday.wav").exists()
