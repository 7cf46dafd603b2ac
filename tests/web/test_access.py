"""The access checks before every page, and what a refused request learns: nothing."""

import asyncio
from collections.abc import Iterator

import pytest
from starlette.datastructures import Headers

from seance.web.access import AccessGuard, is_same_origin
from seance.web.limits import is_local_network
from tests.web.running_evening import Phone, RunningEvening, running_evening

GETS = ("/", "/table", "/ghost", "/replay", "/host", "/static/night.css")
POSTS = (
    *("/table/say", "/table/typing", "/ghost/sit", "/ghost/command", "/ghost/control"),
    *("/host/do", "/host/enter", "/host/code"),
)
STREAMS = ("/table/events", "/ghost/events")
BODIES = {
    "/table/say": {"text": "begin the séance"},
    "/table/typing": {"begun": True},
    "/ghost/sit": None,
    "/ghost/command": {"command": "use_crow"},
    "/ghost/control": {"control": "pause"},
    "/host/do": {"do": "louder"},
    "/host/enter": {"code": "123456"},
    "/host/code": None,
}


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Iterator[RunningEvening]:
    """One night for all of them: nothing here may change it."""
    with running_evening(tmp_path_factory.mktemp("guard")) as house:
        house.begin()
        yield house


@pytest.fixture(scope="module")
def ghost(house) -> Iterator[Phone]:
    """The device in the ghost's seat, which has opened the table's page as well."""
    with house.ghost() as ghost:
        ghost.get("/table")
        yield ghost


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "https://{host}"},
        {"origin": "http://{host}.evil.example"},
        {"origin": "http://{host}", "sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {},
    ],
)
def test_what_does_not_come_from_a_page_of_the_house_changes_nothing(house, ghost, path, headers):
    host = house.url.removeprefix("http://")
    its = {name: value.format(host=host) for name, value in headers.items()}
    seen = len(house.seen)
    assert ghost.http.post(path, json=BODIES[path], headers=its).status_code == 403
    assert [signal for signal in house.seen[seen:] if type(signal).__name__ not in ("Tick", "StepTold")] == []


@pytest.mark.parametrize("path", [*GETS, *STREAMS])
@pytest.mark.parametrize("host", ["evil.example", "8.8.8.8", "localhost.evil.example:80", "", "a@localhost"])
def test_a_name_that_is_not_the_houses_leads_nowhere(house, path, host):
    with house.phone() as phone:
        assert phone.get(path, headers={"host": host}).status_code in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "localhost:8013", "127.0.0.1", "seance.local", "192.168.1.20:8013"])
def test_the_house_answers_to_its_names_and_addresses(house, host):
    with house.phone() as phone:
        assert phone.get("/table", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/table/say", "/host/do", "/host/enter", "/host/code"])
def test_who_has_not_opened_the_table_may_not_speak_there(house, path):
    with house.phone() as phone:
        assert phone.post(path, BODIES[path]).status_code == 403


@pytest.mark.parametrize("path", ["/ghost/command", "/ghost/control"])
@pytest.mark.parametrize("cookie", [None, "", "x", "0123456789abcdef.AAAA", "é", "a" * 5000])
@pytest.mark.usefixtures("ghost")
def test_without_the_seats_cookie_the_ghosts_doors_are_shut(house, path, cookie):
    with house.phone() as phone:
        headers = {} if cookie is None else {"cookie": f"seat={cookie}".encode()}
        assert phone.post(path, BODIES[path], headers=headers).status_code in (400, 403)
        assert phone.get("/ghost/events", headers=headers).status_code in (400, 403)


@pytest.mark.usefixtures("ghost")
def test_a_guests_cookie_is_no_ghosts(house):
    with house.phone() as phone:
        phone.get("/table")
        headers = {"cookie": f"seat={phone.http.cookies['guest']}"}
        assert phone.get("/ghost/events", headers=headers).status_code == 403


@pytest.mark.parametrize("path", [*GETS, "/nowhere", "/ghost/events", "/chronicle"])
def test_every_answer_says_what_a_browser_must_not_do(house, path):
    with house.phone() as phone:
        headers = phone.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["cache-control"] == ("max-age=3600" if path.startswith("/static") else "no-store")


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(tmp_path):
    with running_evening(tmp_path) as house, house.phone() as phone:
        given = [phone.get("/table").headers["set-cookie"], phone.post("/ghost/sit").headers["set-cookie"]]
    for cookie in given:
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie


@pytest.mark.parametrize(("method", "path"), [("GET", "/table/say"), ("PUT", "/table"), ("DELETE", "/ghost/sit")])
def test_a_door_that_is_not_there_says_so_plainly(house, method, path):
    with house.phone() as phone:
        answer = phone.http.request(method, path, headers={"origin": house.url})
        assert answer.status_code == 405
        assert answer.json().keys() == {"message"}


@pytest.mark.parametrize("name", ["door.html", "%2e%2e%2fsite.py", "..%2fsite.py", "night.css%00", "nowhere.js"])
def test_nothing_but_what_belongs_to_the_pages_is_served(house, name):
    with house.phone() as phone:
        assert phone.get(f"/static/{name}").status_code == 404


@pytest.mark.parametrize("address", ["127.0.0.1", "192.168.1.7", "10.1.2.3", "172.16.0.9", "169.254.3.4", "fe80::1"])
def test_who_is_in_the_house_may_come_in(address):
    assert is_local_network(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "100.64.0.1", "2a00:1450::1", "", "house"])
def test_who_is_elsewhere_may_not(address):
    assert not is_local_network(address)


def test_a_request_from_elsewhere_is_refused_before_any_page_sees_it():
    sent = []

    async def page(*_):
        raise AssertionError("a page was asked")

    async def send(message):
        sent.append(message)

    here = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
    asyncio.run(AccessGuard(page, names={"localhost"}, word=str)({**here, "client": ("8.8.8.8", 9)}, None, send))
    assert sent[0]["status"] == 403


def test_a_page_of_ours_is_known_by_its_origin():
    ours = {"host": "seance.local:8013", "origin": "http://seance.local:8013"}
    assert is_same_origin(Headers(ours))
    assert is_same_origin(Headers({"host": "seance.local:8013", "sec-fetch-site": "same-origin"}))


@pytest.mark.parametrize(
    "name", ["x" * 256 + ".js", "x" * 5000 + ".css", "night.css%00", "%00.js", "%2e%2e", "...js", "night..css"]
)
def test_a_name_that_no_file_can_have_is_not_found_and_not_logged(house, caplog, name):
    with house.phone() as phone:
        assert phone.get(f"/static/{name}").status_code == 404
    assert not caplog.records
