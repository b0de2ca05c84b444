-- What computes

CREATE TABLE ted_gpu_calibration (
	device text PRIMARY KEY,
	measured timestamptz NOT NULL,
	unit float8 NOT NULL,
	sync_thread float8 NOT NULL,
	sync_warp float8 NOT NULL,
	sync_block float8 NOT NULL,
	sync_multi float8 NOT NULL,
	launch float8 NOT NULL,
	byte float8 NOT NULL,
	lcs_tiles float8[] NOT NULL,
	warp_from float8,
	block_from float8,
	multi_from float8,
	blocks integer
);

COMMENT ON TABLE ted_gpu_calibration IS 'what ted_gpu_calibrate() has measured, by device: times in seconds';
COMMENT ON COLUMN ted_gpu_calibration.unit IS 'a cell, by one thread';
COMMENT ON COLUMN ted_gpu_calibration.sync_thread IS 'the end of a row of cells, by one thread';
COMMENT ON COLUMN ted_gpu_calibration.sync_warp IS 'the end of a row of cells, by a warp';
COMMENT ON COLUMN ted_gpu_calibration.sync_block IS 'the end of a row of cells, by a block';
COMMENT ON COLUMN ted_gpu_calibration.sync_multi IS 'the end of a row of cells, by several blocks';
COMMENT ON COLUMN ted_gpu_calibration.launch IS 'of a kernel, until its end is seen';
COMMENT ON COLUMN ted_gpu_calibration.byte IS 'a byte sent to the device';
COMMENT ON COLUMN ted_gpu_calibration.lcs_tiles IS 'long pairs of strings: column, hand-over, stripe and launch, by how matches are found, words a thread and warps on a scheduler';
COMMENT ON COLUMN ted_gpu_calibration.warp_from IS 'side of a square table from which a warp is faster than a thread by X-TED''s model; null for none';
COMMENT ON COLUMN ted_gpu_calibration.block_from IS 'the same for a block and a warp';
COMMENT ON COLUMN ted_gpu_calibration.multi_from IS 'the same for several blocks and one';
COMMENT ON COLUMN ted_gpu_calibration.blocks IS 'how many these are';

-- the extension's objects belong to a superuser, whoever has installed it
GRANT SELECT ON ted_gpu_calibration TO PUBLIC;
GRANT INSERT, UPDATE, DELETE ON ted_gpu_calibration TO pg_database_owner;
SELECT pg_catalog.pg_extension_config_dump('ted_gpu_calibration', '');

CREATE FUNCTION ted_gpu_measure() RETURNS ted_gpu_calibration
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 1000000;
CREATE FUNCTION ted_gpu_calibrate() RETURNS ted_gpu_calibration
	LANGUAGE sql VOLATILE PARALLEL UNSAFE COST 1000000
	BEGIN ATOMIC
		INSERT INTO ted_gpu_calibration SELECT m.* FROM ted_gpu_measure() m
		ON CONFLICT (device) DO UPDATE SET
			(measured, unit, sync_thread, sync_warp, sync_block, sync_multi, launch, byte, lcs_tiles,
			 warp_from, block_from, multi_from, blocks) =
			ROW (excluded.measured, excluded.unit, excluded.sync_thread, excluded.sync_warp,
				 excluded.sync_block, excluded.sync_multi, excluded.launch, excluded.byte,
				 excluded.lcs_tiles, excluded.warp_from, excluded.block_from, excluded.multi_from, excluded.blocks)
		RETURNING *;
	END;
CREATE FUNCTION ted_engine_info(
	OUT engine text, OUT device text, OUT devices integer[], OUT capability text, OUT processors integer,
	OUT memory bigint, OUT free bigint, OUT used bigint, OUT calibrated boolean,
	OUT contexts integer, OUT max_contexts integer, OUT pairs bigint, OUT fallbacks bigint,
	OUT note text)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL RESTRICTED;

-- how far the joins, aggregates and index searches of all sessions are
CREATE FUNCTION ted_get_progress(
	OUT pid integer, OUT leader_pid integer, OUT datid oid, OUT operation text, OUT relid oid, OUT phase text,
	OUT documents bigint, OUT pairs bigint, OUT pairs_verified bigint, OUT results bigint,
	OUT share_done float8, OUT time_left interval, OUT started timestamptz, OUT reported timestamptz)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT VOLATILE PARALLEL RESTRICTED COST 1 ROWS 10;
CREATE VIEW ted_progress AS
	SELECT p.pid, p.leader_pid, p.datid, d.datname, p.relid, p.operation, p.phase,
		p.documents, p.pairs, p.pairs_verified, p.results,
		p.share_done, p.time_left, p.started, p.reported
	FROM ted_get_progress() AS p LEFT JOIN pg_catalog.pg_database AS d ON d.oid = p.datid;
GRANT SELECT ON ted_progress TO PUBLIC;

COMMENT ON FUNCTION ted_get_progress() IS 'how far joins, aggregates and index searches of all sessions are';
COMMENT ON VIEW ted_progress IS 'how far joins, aggregates and index searches of all sessions are';
COMMENT ON FUNCTION ted_gpu_measure() IS 'measures the GPU, and keeps nothing';
COMMENT ON FUNCTION ted_gpu_calibrate() IS 'measures the GPU and keeps the times in ted_gpu_calibration';
COMMENT ON FUNCTION ted_engine_info() IS 'what computes distances, and what the GPU has done in this session';
