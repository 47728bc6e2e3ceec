import type { Row } from '../../api/client.ts';
import { Identifier } from '../../ui/records/identifier.tsx';
import { changedFacts } from './audit-facts.ts';

export type AuditEvent = Row<'manageAudit'>;

/** What changed, and what support asks for, behind a disclosure. */
export function AuditDetails({ event }: { event: AuditEvent }) {
  const facts = changedFacts(event.before, event.after);
  return (
    <details className="mt-1 text-sm">
      <summary className="w-fit cursor-pointer text-caption text-quiet hover:text-ink">Details</summary>
      <div className="mt-2 space-y-3 whitespace-normal">
        {facts.length > 0 && (
          <table className="w-full max-w-2xl text-left text-caption">
            <thead className="text-quiet">
              <tr>
                <th className="py-1 pr-4 font-medium">What</th>
                <th className="py-1 pr-4 font-medium">Before</th>
                <th className="py-1 font-medium">After</th>
              </tr>
            </thead>
            <tbody>
              {facts.map(({ label, before, after }) => (
                <tr key={label} className="border-t border-line align-top">
                  <th scope="row" className="py-1 pr-4 font-normal text-quiet">
                    {label}
                  </th>
                  <td className="py-1 pr-4 break-all">{before}</td>
                  <td className="py-1 break-all">{after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <p className="text-caption text-quiet">
          <Identifier>{event.action}</Identifier>
          {event.request_id && (
            <>
              {' '}
              in request <Identifier>{event.request_id}</Identifier>
            </>
          )}
        </p>
      </div>
    </details>
  );
}
