// Loaded before the service (`node --import`), in its threads as well: its clock then runs as far ahead as a file says.
import { readFileSync } from 'node:fs';

const REREAD_MS = 50;
const path = process.env.SHIFTED_CLOCK_FILE as string;
const RealDate = Date;
let shiftMs = 0;
let readAt = Number.NEGATIVE_INFINITY;

function shiftedNow(): number {
  if (performance.now() - readAt > REREAD_MS) {
    shiftMs = Number(readFileSync(path, 'utf8')) || 0;
    readAt = performance.now();
  }
  return RealDate.now() + shiftMs;
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [shiftedNow()] : args, newTarget),
  apply: () => new RealDate(shiftedNow()).toString(),
  get: (target, name, receiver) => (name === 'now' ? shiftedNow : Reflect.get(target, name, receiver)),
});
