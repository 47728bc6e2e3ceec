import { errors } from '@svc/contract';

/** The reply with the one row that was found; 404 when there is none. */
export function rowReply<Row>([row]: Row[]): { data: Row } {
  if (row === undefined) throw errors.notFound();
  return { data: row };
}
