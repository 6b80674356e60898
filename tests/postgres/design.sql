-- PostgreSQL's best design for the questions of questions.py, made from the tables csv_response, csv_citation and csv_fanout: dictionaries
-- with integer ids, facts in the order of the days, roll-ups by day and by month, and a covering index for each question. There is one
-- entity, so no key begins with a tenant and an entity, as it would in a real database.
CREATE EXTENSION pg_trgm;

-- Dictionaries.
CREATE TABLE prompt AS
  SELECT row_number() OVER (ORDER BY min(line))::smallint AS id, prompt_id AS uuid FROM csv_response GROUP BY prompt_id;
CREATE TABLE model AS
  SELECT (row_number() OVER (ORDER BY min(line)) - 1)::smallint AS id, model_uuid AS uuid FROM csv_response GROUP BY model_uuid;
CREATE TABLE domain AS
  SELECT row_number() OVER (ORDER BY domain COLLATE "C")::int AS id, domain COLLATE "C" AS domain
  FROM (SELECT DISTINCT domain FROM csv_citation) AS d;
CREATE TABLE url AS
  SELECT row_number() OVER (ORDER BY url COLLATE "C")::int AS id, url COLLATE "C" AS url
  FROM (SELECT DISTINCT url FROM csv_citation) AS u;
CREATE TABLE spelling AS
  SELECT row_number() OVER (ORDER BY query COLLATE "C")::int AS id, query COLLATE "C" AS query
  FROM (SELECT DISTINCT query FROM csv_fanout) AS s;
CREATE TABLE folded AS
  SELECT row_number() OVER (ORDER BY query)::int AS id, query FROM (SELECT DISTINCT lower(query) AS query FROM spelling) AS f;
CREATE UNIQUE INDEX ON domain (id) INCLUDE (domain);
CREATE UNIQUE INDEX ON domain (domain);
CREATE UNIQUE INDEX ON url (id);
CREATE UNIQUE INDEX ON url (url);
CREATE UNIQUE INDEX ON spelling (id);
CREATE UNIQUE INDEX ON spelling (query);
CREATE UNIQUE INDEX ON folded (id);
CREATE UNIQUE INDEX ON folded (query);
CREATE INDEX ON folded USING gin (query gin_trgm_ops);
ANALYZE;

-- Facts.
CREATE TABLE response AS
  SELECT row_number() OVER (ORDER BY answered_at::date, p.id, m.id)::int AS id, answered_at::date AS day, p.id AS prompt, m.id AS model,
    mentioned, position, (extract(epoch FROM answered_at) * 1000)::bigint AS at, response_id
  FROM csv_response AS r JOIN prompt AS p ON p.uuid = r.prompt_id JOIN model AS m ON m.uuid = r.model_uuid
  ORDER BY 1;
CREATE UNIQUE INDEX response_csv ON response (response_id);
ANALYZE response;
CREATE TABLE citation AS
  SELECT r.day, r.prompt, r.model, d.id AS domain, u.id AS url
  FROM csv_citation AS c JOIN response AS r USING (response_id) JOIN domain AS d ON d.domain = c.domain JOIN url AS u ON u.url = c.url
  ORDER BY r.id;
-- The first occurrence of a spelling is the one with the smallest `occurrence`: time, prompt, model, index in the response.
CREATE TABLE fanout AS
  SELECT r.day, r.prompt, r.model, r.id AS response, r.at, f.id AS folded, s.id AS spelling,
    ((r.at * 4096 + r.prompt) * 16 + r.model) * 16 + row_number() OVER (PARTITION BY r.id ORDER BY c.line) AS occurrence
  FROM csv_fanout AS c JOIN response AS r USING (response_id) JOIN spelling AS s ON s.query = c.query JOIN folded AS f ON f.query = lower(s.query)
  ORDER BY r.id;
DROP TABLE csv_response, csv_citation, csv_fanout;
DROP INDEX response_csv;
ALTER TABLE response DROP COLUMN response_id;

CREATE INDEX ON response (day, model, prompt) INCLUDE (mentioned);
CREATE INDEX ON response (model, prompt, day) INCLUDE (mentioned, position);
CREATE INDEX ON response (prompt, model, day) INCLUDE (mentioned, position);
CREATE INDEX ON citation (domain, day) INCLUDE (prompt, model, url);
CREATE INDEX ON citation (day, model, prompt) INCLUDE (domain);
CREATE INDEX ON citation (model, prompt, day) INCLUDE (domain);
CREATE INDEX ON fanout (day, model, prompt) INCLUDE (folded);
CREATE INDEX ON fanout (model, prompt, day) INCLUDE (folded);
CREATE INDEX ON fanout (folded, day) INCLUDE (prompt, model, response, at, spelling, occurrence);

-- Roll-ups by day, and by month for the months that are completely in a range.
CREATE TABLE visibility_day AS
  SELECT day, count(*) FILTER (WHERE mentioned)::int AS mentions, count(*)::int AS responses FROM response GROUP BY 1 ORDER BY 1;
CREATE UNIQUE INDEX ON visibility_day (day) INCLUDE (mentions, responses);

CREATE TABLE prompt_day AS
  SELECT r.prompt, r.day, count(*)::int AS responses, count(*) FILTER (WHERE mentioned)::int AS mentions,
    coalesce(sum(position), 0)::int AS positions, max(coalesce(own.n, 0))::int AS citations
  FROM response AS r LEFT JOIN (SELECT day, prompt, count(*) AS n FROM citation JOIN domain ON domain.id = citation.domain
    WHERE domain.domain = :own GROUP BY 1, 2) AS own USING (day, prompt)
  GROUP BY 1, 2 ORDER BY 1, 2;
CREATE UNIQUE INDEX ON prompt_day (prompt, day) INCLUDE (responses, mentions, positions, citations);
CREATE TABLE prompt_month AS
  SELECT prompt, date_trunc('month', day)::date AS day, sum(responses)::int AS responses, sum(mentions)::int AS mentions,
    sum(positions)::int AS positions, sum(citations)::int AS citations FROM prompt_day GROUP BY 1, 2 ORDER BY 1, 2;
CREATE UNIQUE INDEX ON prompt_month (prompt, day) INCLUDE (responses, mentions, positions, citations);
CREATE TABLE own_citation AS
  SELECT c.prompt, c.model, c.day, count(*)::int AS n FROM citation AS c JOIN domain AS d ON d.id = c.domain WHERE d.domain = :own GROUP BY 1, 2, 3;
CREATE UNIQUE INDEX ON own_citation (prompt, model, day) INCLUDE (n);

CREATE TABLE domain_day AS SELECT day, domain, count(*)::int AS n FROM citation GROUP BY 1, 2 ORDER BY 1, 2;
CREATE UNIQUE INDEX ON domain_day (day, domain) INCLUDE (n);
CREATE UNIQUE INDEX ON domain_day (domain, day) INCLUDE (n);
CREATE TABLE domain_month AS
  SELECT date_trunc('month', day)::date AS day, domain, sum(n)::int AS n FROM domain_day GROUP BY 1, 2 ORDER BY 1, 2;
CREATE UNIQUE INDEX ON domain_month (day, domain) INCLUDE (n);

CREATE TABLE url_day AS SELECT domain, day, url, count(*)::int AS n FROM citation GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
CREATE UNIQUE INDEX ON url_day (domain, day, url) INCLUDE (n);
CREATE TABLE url_month AS
  SELECT domain, date_trunc('month', day)::date AS day, url, sum(n)::int AS n FROM url_day GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
CREATE UNIQUE INDEX ON url_month (domain, day, url) INCLUDE (n);

CREATE TABLE query_day AS
  SELECT day, folded, count(*)::int AS n, count(DISTINCT response)::int AS responses, max(at) AS latest, bit_or(1 << model) AS models
  FROM fanout GROUP BY 1, 2 ORDER BY 1, 2;
CREATE UNIQUE INDEX ON query_day (day, folded) INCLUDE (n);
CREATE UNIQUE INDEX ON query_day (folded, day) INCLUDE (n, responses, latest, models);
CREATE TABLE query_month AS
  SELECT date_trunc('month', day)::date AS day, folded, sum(n)::int AS n FROM query_day GROUP BY 1, 2 ORDER BY 1, 2;
CREATE UNIQUE INDEX ON query_month (day, folded) INCLUDE (n);
CREATE UNIQUE INDEX ON query_month (folded, day) INCLUDE (n);
