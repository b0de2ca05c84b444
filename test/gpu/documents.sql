-- Random trees for the tests on a card: many small ones, some of them alike, and a few large ones.
CREATE EXTENSION ted;
SELECT setseed(0.5) \g /dev/null

CREATE FUNCTION random_document(nodes int, labels int) RETURNS tree LANGUAGE plpgsql AS $$
DECLARE
	document text := '{r';
	depth int := 1;
BEGIN
	FOR node IN 2 .. nodes LOOP
		WHILE depth > 1 AND random() < 0.45 LOOP
			document := document || '}';
			depth := depth - 1;
		END LOOP;
		document := document || '{' || (random() * labels)::int;
		depth := depth + 1;
	END LOOP;
	RETURN (document || repeat('}', depth))::tree;
END $$;

CREATE TABLE docs (id int PRIMARY KEY, doc tree);
INSERT INTO docs SELECT i, random_document(5 + i % 60, 3) FROM generate_series(1, 3000) i;
CREATE TABLE big (id int PRIMARY KEY, doc tree);
INSERT INTO big SELECT i, random_document(800, 20) FROM generate_series(1, 20) i;
