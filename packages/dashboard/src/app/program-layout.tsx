import { Outlet } from '@tanstack/react-router';
import { useApiQuery } from '../api/hooks.ts';
import { QueryState } from '../ui/feedback/query-state.tsx';
import { ProgramNameContext } from '../ui/layout/document-title.ts';
import { useProgramId } from '../ui/layout/program-id.ts';
import { NotFoundPage } from './error-pages.tsx';
import type { NavGroup } from './navigation.ts';
import { Shell } from './shell.tsx';

type ProgramLayoutProps = { side: 'brand' | 'partner'; groups: NavGroup[] };

/** The pages of a program for its brand or for its partners. For everyone else the program does not exist. */
export function ProgramLayout({ side, groups }: ProgramLayoutProps) {
  const programId = useProgramId();
  const programs = useApiQuery('managePrograms');
  return (
    <QueryState query={programs}>
      {({ data }) => {
        const program = data.find(({ id, role }) => id === programId && (role === 'partner') === (side === 'partner'));
        if (!program) return <NotFoundPage />;
        return (
          <ProgramNameContext value={program.name}>
            <Shell program={program} groups={groups}>
              <Outlet key={programId} />
            </Shell>
          </ProgramNameContext>
        );
      }}
    </QueryState>
  );
}
