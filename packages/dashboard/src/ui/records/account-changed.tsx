import { Badge } from '../feedback/badge.tsx';
import { Time } from './time.tsx';

/** Marks a partner who was handed over to another account; nothing for all others. */
export function AccountChanged({ at }: { at: string | null }) {
  if (!at) return null;
  return (
    <div className="mt-1">
      <Badge tone="warn">
        Account changed <Time at={at} />
      </Badge>
    </div>
  );
}
