import { Outlet } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import { Loaded } from '../ui/feedback/query-state.tsx';
import { useProgramId } from '../ui/layout/urls.ts';
import { Missing } from './error-pages.tsx';
import { type NavGroup, Shell } from './shell.tsx';

type InsideProps = { side: 'brand' | 'partner'; groupsOf: (programId: number) => NavGroup[] };

/** Pages of a program for those on one side of it; to everybody else the program is not there. */
export function InsideProgram({ side, groupsOf }: InsideProps) {
  const programId = useProgramId();
  const programs = useRead('managePrograms');
  return (
    <Loaded read={programs}>
      {({ data }) => {
        const program = data.find(({ id, role }) => id === programId && (role === 'partner') === (side === 'partner'));
        if (!program) return <Missing />;
        return (
          <Shell program={program} groups={groupsOf(programId)}>
            <Outlet key={programId} />
          </Shell>
        );
      }}
    </Loaded>
  );
}
