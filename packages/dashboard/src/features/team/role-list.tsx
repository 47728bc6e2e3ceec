import { ROLES } from '@svc/contract';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { ROLE_NAMES } from './role-options.ts';

/** What each role may do. */
export function RoleList() {
  return (
    <TitledCard title="Roles">
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[auto_1fr]">
        {ROLE_NAMES.map((role) => (
          <div key={role} className="contents">
            <dt>
              <StatusBadge status={role} />
            </dt>
            <dd className="max-sm:mb-2">{ROLES[role].may}.</dd>
          </div>
        ))}
      </dl>
    </TitledCard>
  );
}
