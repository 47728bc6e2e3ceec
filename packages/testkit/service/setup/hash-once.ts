import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { PASSWORD, PASSWORD_HASH } from '../password.ts';

type Hashed = (error: Error | null, key: Buffer) => void;
type Hash = (password: string, salt: string, length: number, options: object, done: Hashed) => void;

declare global {
  var svcKnownHashes: Map<string, Promise<Buffer>> | undefined;
}

const [SALT] = PASSWORD_HASH.split(':');

// The hash of a password takes a tenth of a second of a processor, and most tests sign in with the same one. It depends on nothing
// but what it is computed from, so it is computed once for each process. Other passwords, which only have to be told apart, are
// hashed at the lowest cost.
if (!globalThis.svcKnownHashes) {
  const known = new Map<string, Promise<Buffer>>();
  globalThis.svcKnownHashes = known;
  const compute = crypto.scrypt as Hash;
  const hash: Hash = (password, salt, length, options, done) => {
    const cost = salt === SALT && password === PASSWORD ? options : { ...options, N: 2 };
    const key = JSON.stringify([password, salt, length, cost]);
    const hashed =
      known.get(key) ??
      new Promise<Buffer>((resolve, reject) =>
        compute(password, salt, length, cost, (error, bytes) => (error ? reject(error) : resolve(bytes))),
      );
    known.set(key, hashed);
    hashed.then(
      (bytes) => done(null, Buffer.from(bytes)),
      (error) => done(error, Buffer.alloc(0)),
    );
  };
  Object.assign(crypto, { scrypt: hash });
  syncBuiltinESMExports();
}
