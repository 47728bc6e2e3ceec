import { stillOffline } from '../rules/problem.ts';
import { ApiError, type Call, call, type Reply, type RouteName, routeOf } from './client.ts';

/** The keys of requests of which nobody knows whether they were carried out, whichever page has sent them. */
const keptKeys = new Map<string, string>();

/**
 * Calls a route that changes something. After a lost answer, the same request gets the answer to the first one, until the service
 * has refused it, or has carried out another change that was begun later: after that, the same request means something new.
 */
export async function change<Name extends RouteName>(name: Name, request: Call<Name>): Promise<Reply<Name>> {
  const text = JSON.stringify([name, request], fileByName);
  const keptBefore = [...keptKeys.keys()];
  const kept = keptKeys.get(text);
  const key = kept ?? newKey();
  try {
    const reply = await call(name, request, acceptsKey(name) ? { 'Idempotency-Key': key } : {});
    for (const earlier of keptBefore) keptKeys.delete(earlier);
    return reply;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.isRefused) keptKeys.delete(text);
    else if (error.isUncertain) keptKeys.set(text, key);
    throw error.isNotSent && kept !== undefined ? new ApiError(0, { message: stillOffline }, {}, true) : error;
  }
}

/** A file has no text of its own. One that was changed has another time. */
const fileByName = (_key: string, value: unknown) =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value;

/** Other methods change nothing when they are repeated. */
const acceptsKey = (name: RouteName) => routeOf(name).method === 'POST';

/** Browsers have `randomUUID` only on secure origins, and not every installation is on one. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
