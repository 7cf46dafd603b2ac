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
INSERT INTO "entries" VALUES(1,1,'2026-05-01T21:00:52.500+02:00',0.0,'room','{"command":"begin","edition":"libellud","players":4,"level":"easy","seed":6965539034086810890,"psychics":["red","blue","white"],"deal":"manor","visions":"table","variant":null}','[{"event":"night_begun","edition":"libellud","players":4,"level":"easy","psychics":["red","blue","white"],"deal":"manor","visions":"table","variant":null,"table":{"character":[2,8,12,13,17],"location":[20,21,22,29,31],"object":[39,44,46,47,51]}},{"event":"seed_drawn","seed":6965539034086810890},{"event":"secrets_dealt","secret":[{"character":2,"location":22,"object":46},{"character":17,"location":21,"object":39},{"character":8,"location":20,"object":44}]}]',4013991957);
INSERT INTO "entries" VALUES(1,2,'2026-05-01T21:00:53.750+02:00',9.99999999999943156581e-02,'ghost','{"command":"give_vision","psychic":"red","count":1,"cards":null}','[{"event":"vision_given","psychic":"red","count":1,"cards":null}]',3855164041);
INSERT INTO "entries" VALUES(1,3,'2026-05-01T21:00:55.000+02:00',1.99999999999988631316e-01,'ghost','{"command":"give_vision","psychic":"blue","count":1,"cards":null}','[{"event":"vision_given","psychic":"blue","count":1,"cards":null}]',61982225);
INSERT INTO "entries" VALUES(1,4,'2026-05-01T21:00:56.250+02:00',2.99999999999982946974e-01,'ghost','{"command":"give_vision","psychic":"white","count":1,"cards":null}','[{"event":"vision_given","psychic":"white","count":1,"cards":null}]',2476916229);
INSERT INTO "entries" VALUES(1,5,'2026-05-01T21:00:57.500+02:00',3.99999999999977262632e-01,'ghost','{"command":"turn_sand"}','[{"event":"sand_turned","seconds":120}]',2787384612);
INSERT INTO "entries" VALUES(1,6,'2026-05-01T21:00:58.750+02:00',4.9999999999997157829e-01,'room','{"command":"place_intuition","psychic":"red","card":2}','[{"event":"intuition_placed","psychic":"red","card":2}]',1858725177);
INSERT INTO "entries" VALUES(1,7,'2026-05-01T21:01:00.000+02:00',5.99999999999965893948e-01,'room','{"command":"place_intuition","psychic":"blue","card":17}','[{"event":"intuition_placed","psychic":"blue","card":17}]',166118566);
INSERT INTO "entries" VALUES(1,8,'2026-05-01T21:01:01.250+02:00',6.99999999999960209606e-01,'room','{"command":"place_intuition","psychic":"white","card":8}','[{"event":"intuition_placed","psychic":"white","card":8}]',969676010);
INSERT INTO "entries" VALUES(1,9,'2026-05-01T21:01:02.500+02:00',7.99999999999954525264e-01,'room','{"command":"call_time","early":true}','[{"event":"time_called","early":true}]',1617638764);
INSERT INTO "entries" VALUES(1,10,'2026-05-01T21:01:03.750+02:00',7.99999999999954525264e-01,'ghost','{"command":"manifest","psychic":"red","correct":null}','[{"event":"intuition_answered","psychic":"red","card":2,"correct":true},{"event":"card_found","psychic":"red","card":2}]',4157404046);
INSERT INTO "entries" VALUES(1,11,'2026-05-01T21:01:05.000+02:00',7.99999999999954525264e-01,'ghost','{"command":"manifest","psychic":"blue","correct":null}','[{"event":"intuition_answered","psychic":"blue","card":17,"correct":true},{"event":"card_found","psychic":"blue","card":17}]',2281859074);
INSERT INTO "entries" VALUES(1,12,'2026-05-01T21:01:06.250+02:00',7.99999999999954525264e-01,'ghost','{"command":"manifest","psychic":"white","correct":null}','[{"event":"intuition_answered","psychic":"white","card":8,"correct":true},{"event":"card_found","psychic":"white","card":8},{"event":"hour_struck","hour":2}]',3681735213);
INSERT INTO "entries" VALUES(1,13,'2026-05-01T21:01:07.500+02:00',8.99999999999948840923e-01,'ghost','{"command":"give_vision","psychic":"red","count":1,"cards":null}','[{"event":"vision_given","psychic":"red","count":1,"cards":null}]',700994721);
INSERT INTO "entries" VALUES(1,14,'2026-05-01T21:01:08.750+02:00',9.99999999999943156581e-01,'ghost','{"command":"give_vision","psychic":"blue","count":1,"cards":null}','[{"event":"vision_given","psychic":"blue","count":1,"cards":null}]',4261899744);
INSERT INTO "entries" VALUES(1,15,'2026-05-01T21:01:10.000+02:00',1.09999999999993747223e+00,'ghost','{"command":"give_vision","psychic":"white","count":1,"cards":null}','[{"event":"vision_given","psychic":"white","count":1,"cards":null}]',1091994564);
INSERT INTO "entries" VALUES(1,16,'2026-05-01T21:01:11.250+02:00',1.19999999999993178789e+00,'ghost','{"command":"turn_sand"}','[{"event":"sand_turned","seconds":120}]',2304299972);
INSERT INTO "entries" VALUES(1,17,'2026-05-01T21:01:12.500+02:00',1.29999999999992610355e+00,'room','{"command":"place_intuition","psychic":"red","card":22}','[{"event":"intuition_placed","psychic":"red","card":22}]',1661768495);
INSERT INTO "entries" VALUES(1,18,'2026-05-01T21:01:13.750+02:00',1.39999999999992041921e+00,'room','{"command":"place_intuition","psychic":"blue","card":21}','[{"event":"intuition_placed","psychic":"blue","card":21}]',309684003);
INSERT INTO "entries" VALUES(1,19,'2026-05-01T21:01:15.000+02:00',1.49999999999991473487e+00,'room','{"command":"place_intuition","psychic":"white","card":20}','[{"event":"intuition_placed","psychic":"white","card":20}]',1500827877);
INSERT INTO "entries" VALUES(1,20,'2026-05-01T21:01:16.250+02:00',1.59999999999990905052e+00,'room','{"command":"call_time","early":true}','[{"event":"time_called","early":true}]',2811436635);
INSERT INTO "entries" VALUES(1,21,'2026-05-01T21:01:17.500+02:00',1.59999999999990905052e+00,'ghost','{"command":"manifest","psychic":"red","correct":null}','[{"event":"intuition_answered","psychic":"red","card":22,"correct":true},{"event":"card_found","psychic":"red","card":22}]',1732554430);
INSERT INTO "entries" VALUES(1,22,'2026-05-01T21:01:18.750+02:00',1.59999999999990905052e+00,'ghost','{"command":"manifest","psychic":"blue","correct":null}','[{"event":"intuition_answered","psychic":"blue","card":21,"correct":true},{"event":"card_found","psychic":"blue","card":21}]',1796393143);
INSERT INTO "entries" VALUES(1,23,'2026-05-01T21:01:20.000+02:00',1.59999999999990905052e+00,'ghost','{"command":"manifest","psychic":"white","correct":null}','[{"event":"intuition_answered","psychic":"white","card":20,"correct":true},{"event":"card_found","psychic":"white","card":20},{"event":"hour_struck","hour":3}]',711231761);
INSERT INTO "entries" VALUES(1,24,'2026-05-01T21:01:21.250+02:00',1.69999999999990336618e+00,'ghost','{"command":"give_vision","psychic":"red","count":1,"cards":null}','[{"event":"vision_given","psychic":"red","count":1,"cards":null}]',3525237177);
INSERT INTO "entries" VALUES(1,25,'2026-05-01T21:01:22.500+02:00',1.79999999999989768184e+00,'ghost','{"command":"give_vision","psychic":"blue","count":1,"cards":null}','[{"event":"vision_given","psychic":"blue","count":1,"cards":null}]',4180427900);
INSERT INTO "entries" VALUES(1,26,'2026-05-01T21:01:23.750+02:00',1.8999999999998919975e+00,'ghost','{"command":"give_vision","psychic":"white","count":1,"cards":null}','[{"event":"vision_given","psychic":"white","count":1,"cards":null}]',3964925055);
INSERT INTO "entries" VALUES(1,27,'2026-05-01T21:01:25.000+02:00',1.99999999999988631316e+00,'ghost','{"command":"turn_sand"}','[{"event":"sand_turned","seconds":120}]',1832357253);
INSERT INTO "entries" VALUES(1,28,'2026-05-01T21:01:26.250+02:00',2.09999999999988062882e+00,'room','{"command":"place_intuition","psychic":"red","card":46}','[{"event":"intuition_placed","psychic":"red","card":46}]',3362731303);
INSERT INTO "entries" VALUES(1,29,'2026-05-01T21:01:27.500+02:00',2.19999999999987494447e+00,'room','{"command":"place_intuition","psychic":"blue","card":39}','[{"event":"intuition_placed","psychic":"blue","card":39}]',3853315596);
INSERT INTO "entries" VALUES(1,30,'2026-05-01T21:01:28.750+02:00',2.29999999999986926013e+00,'room','{"command":"place_intuition","psychic":"white","card":44}','[{"event":"intuition_placed","psychic":"white","card":44}]',346796185);
INSERT INTO "entries" VALUES(1,31,'2026-05-01T21:01:30.000+02:00',2.39999999999986357579e+00,'room','{"command":"call_time","early":true}','[{"event":"time_called","early":true}]',2535679083);
INSERT INTO "entries" VALUES(1,32,'2026-05-01T21:01:31.250+02:00',2.39999999999986357579e+00,'ghost','{"command":"manifest","psychic":"red","correct":null}','[{"event":"intuition_answered","psychic":"red","card":46,"correct":true},{"event":"card_found","psychic":"red","card":46},{"event":"clairvoyancy_moved","psychic":"red","spaces":4}]',2651169717);
INSERT INTO "entries" VALUES(1,33,'2026-05-01T21:01:32.500+02:00',2.39999999999986357579e+00,'ghost','{"command":"manifest","psychic":"blue","correct":null}','[{"event":"intuition_answered","psychic":"blue","card":39,"correct":true},{"event":"card_found","psychic":"blue","card":39},{"event":"clairvoyancy_moved","psychic":"blue","spaces":4}]',536180621);
INSERT INTO "entries" VALUES(1,34,'2026-05-01T21:01:33.750+02:00',2.39999999999986357579e+00,'ghost','{"command":"manifest","psychic":"white","correct":null}','[{"event":"intuition_answered","psychic":"white","card":44,"correct":true},{"event":"card_found","psychic":"white","card":44},{"event":"clairvoyancy_moved","psychic":"white","spaces":4},{"event":"hour_struck","hour":4},{"event":"lineup_formed","groups":[{"group":1,"cards":[2,22,46],"psychic":"red"},{"group":2,"cards":[17,21,39],"psychic":"blue"},{"group":3,"cards":[8,20,44],"psychic":"white"}]},{"event":"tokens_returned"}]',1667177866);
CREATE TABLE nights (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        imported INTEGER NOT NULL,
        head TEXT NOT NULL,
        seal INTEGER NOT NULL,
        outcome TEXT
    );
INSERT INTO "nights" VALUES(1,'37688ffdcf8f7aaa',0,'{"begun":"2026-05-01T21:00:51.250+02:00","language":"en","names":{},"settings":{},"edition":{"name":"libellud","order":["character","location","object"],"decks":{"character":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18],"location":[19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36],"object":[37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54]},"levels":{"easy":{"laid_out":{"2":4,"3":5,"4":5,"5":6,"6":6,"7":7},"crows":1,"crows_return":true,"advised_up_to":7},"medium":{"laid_out":{"2":5,"3":6,"4":6,"5":7,"6":8,"7":8},"crows":3,"crows_return":false,"advised_up_to":7},"hard":{"laid_out":{"2":6,"3":7,"4":7,"5":8,"6":9,"7":9},"crows":1,"crows_return":false,"advised_up_to":7}},"hand":7,"crow_takes_whole_hand":false,"sand_seconds":120,"psychics_each":{"2":2,"3":2},"tokens":{"4":4,"5":4,"6":6,"7":6},"tracks":{"4":{"intermediate":5,"high":7},"5":{"intermediate":5,"high":7},"6":{"intermediate":7,"high":10},"7":{"intermediate":7,"high":10}},"extra_groups":{"2":2},"verdict":"vote","culprit_is_drawn":false,"names_all_three":false,"wrong_group_leaves":true,"last_hour_is_in_time":true,"silence_is_fatal":false,"variants":{}}}',2740307225,NULL);
CREATE TABLE notes (
        night INTEGER NOT NULL REFERENCES nights (number),
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        seal INTEGER NOT NULL,
        PRIMARY KEY (night, key)
    ) WITHOUT ROWID;
INSERT INTO "notes" VALUES(1,'evening','{"conversation":{"wishes":{"edition":"libellud","players":4,"level":"easy","psychics":["red","blue","white"],"story":false,"by_hand":null,"variant":null},"setting_up":false,"pending":null,"sitting":null,"asked":null,"said":{"name":"call_time","slots":{"early":true}},"tries":0,"done":[],"laying_out":false,"phase":"lineup","paused":false,"asleep":true,"quiet":0.0,"reminded":0,"unheard":0},"told":{"seed":5680477231652609397,"told":{"reply.welcome":[1,1],"ask.players":[1,1],"summary.no_story":[0,1],"opening.skipped":[2,1],"layout.kind":[0,3],"layout.card":[0,15],"night.hour.1":[0,1],"lesson.visions":[0,1],"event.vision_given.one":[1,9],"lesson.choosing":[0,1],"lesson.clairvoyancy":[0,1],"event.sand_turned":[0,3],"event.intuition_placed":[1,9],"event.time_called.early":[2,3],"lesson.answers":[0,1],"event.answer.card":[3,9],"event.answer.yes":[0,9],"event.found":[0,6],"lesson.found":[0,1],"night.hour.2":[1,1],"night.hour.3":[2,1],"event.third":[1,3],"event.clairvoyancy_moved.early":[0,3],"night.hour.4":[0,1],"event.lineup_formed":[1,1],"lesson.lineup":[0,1],"event.group.psychic":[0,3],"event.tokens_returned.vote":[0,1],"reply.asleep":[2,1]}},"sand_left":null,"sand_of":0.0,"told_to":34,"counted":2,"chair":{"key":"376cd9a473f8fa7a314a7c6fe4edb7781c6db51d3dd66334d4ecfde0fb27336b","asked":null,"holder":null}}',749917141);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('nights',1);
COMMIT;
