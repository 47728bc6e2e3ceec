import { manageAddApiKey, manageApiKeys, manageRetireApiKey } from '@svc/contract';
import { wrongUsage } from '../failure.ts';
import { table } from '../output.ts';
import { accountToken, programOf, type Session } from '../session.ts';

type Options = { program?: string };

/** Lists the API keys of the program that work, masked, each with its last use. */
export async function listKeys(session: Session, options: Options): Promise<void> {
  const { data } = await session.api.call(manageApiKeys, {
    params: programOf(session, options),
    token: await accountToken(session),
  });
  const rows = data.map(({ id, mode, api_key_masked: masked, last_used_at: used, rotate_by: rotateBy }) => [
    String(id),
    mode,
    masked,
    used ? `last used ${used}` : 'never used',
    rotateBy ? `rotate by ${rotateBy}` : '',
  ]);
  session.out.result(data, table(rows));
}

/** Creates a key beside those that the program has, and prints it, the only time that it can be read. */
export async function createKey(session: Session, options: Options & { test?: boolean }): Promise<void> {
  const { data } = await session.api.call(manageAddApiKey, {
    params: programOf(session, options),
    token: await accountToken(session),
    body: { mode: options.test ? 'test' : 'live' },
  });
  session.out.result(data, [
    data.api_key,
    'It is shown only once. The other keys keep working.',
    ...(options.test ? [] : ['Next: use it in SVC_API_KEY, then retire the old one with `svc keys retire`.']),
  ]);
}

/** Retires a key of the program: it stops working at once. */
export async function retireKey(session: Session, options: Options, [id = '']: string[]): Promise<void> {
  if (!/^[1-9]\d{0,15}$/.test(id)) throw wrongUsage(`"${id}" is not the id of a key.`, '`svc keys list` lists them.');
  await session.api.call(manageRetireApiKey, {
    params: { ...programOf(session, options), key_id: id },
    token: await accountToken(session),
  });
  session.out.result({ retired: Number(id) }, `Key ${id} no longer works.`);
}
