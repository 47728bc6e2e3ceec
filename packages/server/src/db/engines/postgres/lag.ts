/** How far a replica is behind, from positions in the log of the primary. Clocks of servers are not compared. */
export type Lag = {
  /** The primary had written up to here when it was asked at `atMs`, or later. */
  noteWritten(lsn: string, atMs: number): void;
  /** The replica has replayed up to here. */
  noteReplayed(lsn: string): void;
  /** By how many seconds the replica is behind at most; null if it has replayed nothing that is known. */
  behindSeconds(nowMs: number): number | null;
};

/** How many positions are remembered: with one a second, five minutes. */
const MAX_POSITIONS = 300;

type Position = { lsn: bigint; atMs: number };

export function createLag(): Lag {
  let written: Position[] = [];
  /** When the primary was where the replica is now, or before. */
  let reachedMs: number | null = null;
  return {
    noteWritten(text, atMs) {
      const lsn = parseLsn(text);
      const last = written.at(-1);
      // Another primary, which lacks the end of the log.
      if (last && lsn < last.lsn) written = [];
      written.push({ lsn, atMs });
      if (written.length > MAX_POSITIONS) written.shift();
    },
    noteReplayed(text) {
      const lsn = parseLsn(text);
      const reached = written.findLast((position) => position.lsn <= lsn);
      if (reached) reachedMs = reached.atMs;
    },
    behindSeconds: (nowMs) => (reachedMs === null ? null : Math.max(0, nowMs - reachedMs) / 1000),
  };
}

/** `16/B374D848` as a number. */
function parseLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
