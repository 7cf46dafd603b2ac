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
INSERT INTO "entries" VALUES(1,1,'2026-05-01T21:00:02.500+02:00',0.0,'room','{"command":"begin","edition":"libellud","players":5,"level":"medium","seed":7903166252872187431,"psychics":["red","blue","white","yellow"],"deal":"manor","visions":"table","variant":null}','[{"event":"night_begun","edition":"libellud","players":5,"level":"medium","psychics":["red","blue","white","yellow"],"deal":"manor","visions":"table","variant":null,"table":{"character":[1,3,4,8,14,15,18],"location":[22,24,28,30,31,34,36],"object":[37,43,44,45,46,52,54]}},{"event":"seed_drawn","seed":7903166252872187431},{"event":"secrets_dealt","secret":[{"character":14,"location":22,"object":37},{"character":4,"location":31,"object":52},{"character":15,"location":30,"object":46},{"character":18,"location":34,"object":54}]}]',742104256);
INSERT INTO "entries" VALUES(1,2,'2026-05-01T21:00:03.750+02:00',3.99999999999977262632e-01,'ghost','{"command":"give_vision","psychic":"red","count":1,"cards":null}','[{"event":"vision_given","psychic":"red","count":1,"cards":null}]',2222207090);
INSERT INTO "entries" VALUES(1,3,'2026-05-01T21:00:05.000+02:00',4.9999999999997157829e-01,'ghost','{"command":"give_vision","psychic":"blue","count":1,"cards":null}','[{"event":"vision_given","psychic":"blue","count":1,"cards":null}]',4124367748);
INSERT INTO "entries" VALUES(1,4,'2026-05-01T21:00:06.250+02:00',5.99999999999965893948e-01,'ghost','{"command":"give_vision","psychic":"white","count":1,"cards":null}','[{"event":"vision_given","psychic":"white","count":1,"cards":null}]',232073017);
INSERT INTO "entries" VALUES(1,5,'2026-05-01T21:00:07.500+02:00',6.99999999999960209606e-01,'ghost','{"command":"give_vision","psychic":"yellow","count":1,"cards":null}','[{"event":"vision_given","psychic":"yellow","count":1,"cards":null}]',3868517728);
INSERT INTO "entries" VALUES(1,6,'2026-05-01T21:00:08.750+02:00',7.99999999999954525264e-01,'ghost','{"command":"turn_sand"}','[{"event":"sand_turned","seconds":120}]',887965063);
INSERT INTO "entries" VALUES(1,7,'2026-05-01T21:00:10.000+02:00',3.38999999999999488417e+01,'room','{"command":"place_intuition","psychic":"red","card":1}','[{"event":"intuition_placed","psychic":"red","card":1}]',2731193419);
INSERT INTO "entries" VALUES(1,8,'2026-05-01T21:00:11.250+02:00',3.39999999999999431561e+01,'room','{"command":"bet","by":"blue","on":"red","agrees":true}','[{"event":"bet_placed","by":"blue","on":"red","agrees":true}]',2909006744);
INSERT INTO "entries" VALUES(1,9,'2026-05-01T21:00:12.500+02:00',3.40999999999999374726e+01,'room','{"command":"place_intuition","psychic":"blue","card":1}','[{"event":"intuition_placed","psychic":"blue","card":1}]',2382433825);
INSERT INTO "entries" VALUES(1,10,'2026-05-01T21:00:13.750+02:00',3.4199999999999931787e+01,'room','{"command":"place_intuition","psychic":"white","card":1}','[{"event":"intuition_placed","psychic":"white","card":1}]',443941601);
CREATE TABLE nights (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        imported INTEGER NOT NULL,
        head TEXT NOT NULL,
        seal INTEGER NOT NULL,
        outcome TEXT
    );
INSERT INTO "nights" VALUES(1,'412cd2f9c23bb2ce',0,'{"begun":"2026-05-01T21:00:01.250+02:00","language":"en","names":{"red":"Aunt Odile","blue":"Grand-père Émile"},"settings":{},"edition":{"name":"libellud","order":["character","location","object"],"decks":{"character":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18],"location":[19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36],"object":[37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54]},"levels":{"easy":{"laid_out":{"2":4,"3":5,"4":5,"5":6,"6":6,"7":7},"crows":1,"crows_return":true,"advised_up_to":7},"medium":{"laid_out":{"2":5,"3":6,"4":6,"5":7,"6":8,"7":8},"crows":3,"crows_return":false,"advised_up_to":7},"hard":{"laid_out":{"2":6,"3":7,"4":7,"5":8,"6":9,"7":9},"crows":1,"crows_return":false,"advised_up_to":7}},"hand":7,"crow_takes_whole_hand":false,"sand_seconds":120,"psychics_each":{"2":2,"3":2},"tokens":{"4":4,"5":4,"6":6,"7":6},"tracks":{"4":{"intermediate":5,"high":7},"5":{"intermediate":5,"high":7},"6":{"intermediate":7,"high":10},"7":{"intermediate":7,"high":10}},"extra_groups":{"2":2},"verdict":"vote","culprit_is_drawn":false,"names_all_three":false,"wrong_group_leaves":true,"last_hour_is_in_time":true,"silence_is_fatal":false,"variants":{}}}',2248228928,NULL);
CREATE TABLE notes (
        night INTEGER NOT NULL REFERENCES nights (number),
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        seal INTEGER NOT NULL,
        PRIMARY KEY (night, key)
    ) WITHOUT ROWID;
INSERT INTO "notes" VALUES(1,'evening','{"conversation":{"wishes":{"edition":"libellud","players":5,"level":"medium","psychics":["red","blue","white","yellow"],"story":false,"by_hand":null,"variant":null},"setting_up":false,"pending":{"ask":{"question":"who_speaks","again":false,"psychic":null,"choices":["red","blue","white","yellow"]},"ask_back":null,"summary":null,"intent":{"name":"place_intuition","slots":{"card":1}},"slot":"psychic","times":1,"sure":true,"text":"i choose card 1"},"sitting":null,"asked":null,"said":{"name":"place_intuition","slots":{"psychic":"white","card":1}},"tries":0,"done":[{"psychic":"red","what":"vision","value":null,"on":null},{"psychic":"blue","what":"vision","value":null,"on":null},{"psychic":"white","what":"vision","value":null,"on":null},{"psychic":"yellow","what":"vision","value":null,"on":null},{"psychic":"red","what":"intuition","value":1,"on":null},{"psychic":"blue","what":"bet","value":1,"on":"red"},{"psychic":"blue","what":"intuition","value":1,"on":null},{"psychic":"white","what":"intuition","value":1,"on":null}],"laying_out":false,"phase":"interpretation","paused":false,"asleep":false,"quiet":0.0,"reminded":0,"unheard":0},"told":{"seed":7985063174142371181,"told":{"reply.welcome":[0,1],"ask.players":[0,1],"summary.no_story":[0,1],"opening.skipped":[0,1],"layout.kind":[0,3],"layout.card":[0,21],"night.hour.1":[1,1],"lesson.visions":[0,1],"ask_back.seat":[0,1],"reply.seat_taken":[2,1],"event.vision_given.one":[2,4],"lesson.choosing":[0,1],"lesson.clairvoyancy":[0,1],"event.sand_turned":[1,1],"event.intuition_placed":[2,3],"event.bet_placed.agrees":[0,1],"ask.who_speaks":[1,1]}},"sand_left":86.50000000000003,"sand_of":120.0,"told_to":9,"counted":0,"chair":{"key":"3a77c37853dd0d56f43af504d4dd53cf166b2fa01d4774665bfeea4d9bda598e","asked":null,"holder":"f3d0a1c25e7b4968a1b2c3d4e5f60718"}}',4093333558);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('nights',1);
COMMIT;
