import type { Data } from '../../api/client.ts';
import { Notice } from '../feedback/notice.tsx';
import { Time } from './time.tsx';

/** Informs the user that their partner was handed over to another account. */
export function HandedOver({ rows }: { rows: Data<'manageMe'>['handed_over'] }) {
  if (rows.length === 0) return null;
  return (
    <Notice tone="warn">
      {rows.map(({ workspace, at }) => (
        <p key={at}>
          {workspace} handed your partner account over to another account on <Time at={at} />. Contact them if you did
          not expect this.
        </p>
      ))}
    </Notice>
  );
}
