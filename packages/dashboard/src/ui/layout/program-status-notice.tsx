import type { ListedProgram } from '../../api/program.ts';
import { Notice } from '../feedback/notice.tsx';

/** Says that the program counts no new clicks, and what goes on nevertheless. */
export function ProgramStatusNotice({ program: { name, role, status } }: { program: ListedProgram }) {
  if (status === 'active') return null;
  return (
    <div className="mb-6">
      <Notice tone="warn">
        {role === 'partner'
          ? `${name} has ${status} this program. New clicks don’t count. Customers you referred before still earn you commissions.`
          : `This program is ${status}. Links don’t count clicks and nobody can join. Customers from before still earn your partners commissions.`}
      </Notice>
    </div>
  );
}
