import logging
import wave

from seance.listening.keeping import Keeper
from tests.listening.spoken import voice


def length(path):
    with wave.open(str(path)) as file:
        return file.getnframes()


def test_a_file_holds_a_minute(tmp_path):
    keeper = Keeper(tmp_path, rate=10)
    for _ in range(7):
        keeper.keep(voice()[:100])
    keeper.close()
    assert [(path.name, length(path)) for path in sorted(tmp_path.iterdir())] == [
        ("000001.wav", 600),
        ("000002.wav", 100),
    ]


def test_what_was_kept_before_stays(tmp_path):
    (tmp_path / "000041.wav").touch()
    keeper = Keeper(tmp_path, rate=16000)
    keeper.keep(voice())
    keeper.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000041.wav", "000042.wav"]


def test_a_disk_that_refuses_is_told_once_and_nothing_more_is_kept(tmp_path, caplog):
    caplog.set_level(logging.WARNING)
    keeper = Keeper(tmp_path / "kept", rate=16000)
    (tmp_path / "kept").rmdir()
    keeper.keep(voice())
    keeper.keep(voice())
    keeper.close()
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        f"sound is no longer kept in {tmp_path / 'kept'}"
    ]
