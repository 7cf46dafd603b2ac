PRAGMA application_id = 1587727873;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE entries (
        night INTEGER NOT NULL REFERENCES nights (number),
        step INTEGER NOT NULL,
        at TEXT NOT NULL,
        played REAL NOT NULL,
        seat TEXT NOT NULL,
        command TEXT NOT NULL,
        events TEXT NOT NULL,
        seal INTEGER NOT NULL,
        PRIMARY KEY (night, step)
    ) WITHOUT ROWID;
INSERT INTO "entries" VALUES(1,1,'2026-05-01T21:00:48.750+02:00',0.0,'room','{"command":"begin","edition":"igames","players":3,"level":"easy","seed":8389027037132427596,"psychics":["red","blue"],"deal":"hand","visions":"table","variant":null}','[{"event":"night_begun","edition":"igames","players":3,"level":"easy","psychics":["red","blue"],"deal":"hand","visions":"table","variant":null,"table":{"character":[6,8,13,14,18],"location":[22,23,26,28,33],"object":[44,49,51,52,54]}},{"event":"seed_drawn","seed":8389027037132427596}]',2217193538);
INSERT INTO "entries" VALUES(1,2,'2026-05-01T21:00:50.000+02:00',9.99999999999943156581e-02,'ghost','{"command":"give_vision","psychic":"red","count":2,"cards":null}','[{"event":"vision_given","psychic":"red","count":2,"cards":null}]',2439496917);
CREATE TABLE nights (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        imported INTEGER NOT NULL,
        head TEXT NOT NULL,
        seal INTEGER NOT NULL,
        outcome TEXT
    );
INSERT INTO "nights" VALUES(1,'35dd9fe7c1d1ae26',0,'{"begun":"2026-05-01T21:00:47.500+02:00","language":"fr","names":{},"settings":{},"edition":{"name":"igames","order":["character","location","object"],"decks":{"character":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18],"location":[19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36],"object":[37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54]},"levels":{"easy":{"laid_out":{"2":4,"3":5,"4":6,"5":7,"6":8,"7":9},"crows":1,"crows_return":true,"advised_up_to":7},"normal":{"laid_out":{"2":5,"3":6,"4":7,"5":8,"6":9,"7":10},"crows":3,"crows_return":false,"advised_up_to":7},"difficult":{"laid_out":{"2":6,"3":7,"4":8,"5":9,"6":10,"7":11},"crows":1,"crows_return":false,"advised_up_to":7},"very_difficult":{"laid_out":{"2":7,"3":8,"4":9,"5":10,"6":11,"7":12},"crows":0,"crows_return":false,"advised_up_to":7}},"hand":7,"crow_takes_whole_hand":true,"sand_seconds":null,"psychics_each":{"2":2},"tokens":{},"tracks":{},"extra_groups":{},"verdict":"accusation","culprit_is_drawn":false,"names_all_three":false,"wrong_group_leaves":true,"last_hour_is_in_time":false,"silence_is_fatal":true,"variants":{}}}',4168938990,NULL);
CREATE TABLE notes (
        night INTEGER NOT NULL REFERENCES nights (number),
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        seal INTEGER NOT NULL,
        PRIMARY KEY (night, key)
    ) WITHOUT ROWID;
INSERT INTO "notes" VALUES(1,'evening','{"conversation":{"wishes":{"edition":"igames","players":3,"level":"easy","psychics":["red","blue"],"story":false,"by_hand":true,"variant":null},"setting_up":false,"pending":null,"sitting":null,"asked":null,"said":null,"tries":0,"done":[{"psychic":"red","what":"vision","value":null,"on":null}],"laying_out":false,"phase":"visions","paused":true,"asleep":false,"quiet":0.0,"reminded":0,"unheard":0},"told":{"seed":2681766332215484795,"told":{"reply.welcome":[0,1],"ask.players":[0,1],"summary.by_hand":[0,1],"summary.no_story":[0,1],"opening.skipped":[1,1],"layout.kind":[0,3],"layout.card":[0,15],"week.hour.1":[0,1],"week.lesson.visions":[0,1],"event.vision_given.many":[1,1],"lesson.choosing":[0,1],"paused.now":[1,1]}},"sand_left":null,"sand_of":0.0,"told_to":2,"counted":0,"chair":{"key":"a1ce6d7a25eb067522f05cfbda8ff32e1f97c1492b1947c2c8d3b04bf88b1c5e","asked":null,"holder":null}}',1373581012);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('nights',1);
COMMIT;
