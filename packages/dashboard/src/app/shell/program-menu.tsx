import { useLocation, useRouter } from '@tanstack/react-router';
import { ChevronsUpDown, LayoutGrid, type LucideIcon, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useApiQuery } from '../../api/hooks.ts';
import type { ListedProgram } from '../../api/program.ts';
import { useMayInWorkspace } from '../../api/rights.ts';
import { samePage } from '../../rules/same-page.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Popover } from '../../ui/forms/popover.tsx';
import { SearchPanel } from '../../ui/forms/search-panel.tsx';

/** The current program, or the workspace if there is none, and a list of all programs the user manages or is a partner of. */
export function ProgramMenu({ program }: { program: ListedProgram | null }) {
  const [isOpen, setOpen] = useState(false);
  const me = useApiQuery('manageMe').data?.data;
  const name = program?.name ?? me?.workspace ?? me?.user.name;
  const trigger = (
    <button
      type="button"
      className="flex min-w-0 flex-1 items-center gap-1.5 rounded-lg px-2 py-1 text-left hover:bg-sunken"
    >
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-sm leading-tight font-semibold break-words" title={name}>
          {name}
        </span>
        <span className="block truncate text-xs text-quiet">{program ? placeOf(program) : 'All programs'}</span>
      </span>
      <span className="sr-only">Switch program</span>
      <ChevronsUpDown size={15} aria-hidden className="shrink-0 text-quiet" />
    </button>
  );
  return (
    <Popover label="Programs" isOpen={isOpen} onOpenChange={setOpen} trigger={trigger} className="w-80">
      <ProgramList program={program} onClose={() => setOpen(false)} />
    </Popover>
  );
}

type Choice = { value: string; content: ReactNode; href: string };

/** Programs by name, to be found by typing. Choosing one keeps the page. */
function ProgramList({ program, onClose }: { program: ListedProgram | null; onClose: () => void }) {
  const router = useRouter();
  const [text, setText] = useState('');
  const choices = useChoices(text.trim().toLowerCase());
  return (
    <SearchPanel
      label="Programs"
      searchLabel="Search programs"
      text={text}
      onText={setText}
      options={choices}
      selected={program ? keyOf(program) : 'all'}
      onSelect={({ href }) => {
        onClose();
        router.history.push(href);
      }}
      message={choices.length === 0 ? `No results for “${text.trim()}”` : null}
    />
  );
}

/** All programs, those of that name, and a new one. */
function useChoices(text: string): Choice[] {
  const place = useLocation();
  const programs = useApiQuery('managePrograms').data?.data ?? [];
  const mayCreate = useMayInWorkspace('manageCreateProgram');
  const own = programs.filter((each) => !isPartner(each));
  const overview = useApiQuery('manageWorkspaceOverview', {}, { enabled: own.length > 0 }).data?.data ?? [];
  const found = programs
    .filter(({ name, domain }) => `${name} ${domain}`.toLowerCase().includes(text))
    .sort((one, other) => rankOf(one) - rankOf(other) || one.name.localeCompare(other.name))
    .map((each) => ({
      value: keyOf(each),
      href: samePage(place, { id: each.id, isPartner: isPartner(each) }),
      content: (
        <ProgramOption
          program={each}
          applications={isPartner(each) ? 0 : (overview.find(({ id }) => id === each.id)?.applications ?? 0)}
        />
      ),
    }));
  const all = { value: 'all', href: '/app/programs', content: <Entry icon={LayoutGrid}>All programs</Entry> };
  const creation = { value: 'new', href: '/app/start', content: <Entry icon={Plus}>New program</Entry> };
  if (text !== '') return found;
  return [...(own.length > 1 ? [all] : []), ...found, ...(mayCreate ? [creation] : [])];
}

function ProgramOption({ program, applications }: { program: ListedProgram; applications: number }) {
  const note = isArchived(program) ? 'Archived' : isPartner(program) ? 'Partner' : null;
  return (
    <span className="flex items-center gap-2">
      <span className="min-w-0 flex-1 break-words whitespace-normal">{program.name}</span>
      {note && <span className="text-xs text-quiet">{note}</span>}
      {applications > 0 && (
        <Badge tone="warn">
          {applications} <span className="sr-only">waiting </span>
          {applications === 1 ? 'application' : 'applications'}
        </Badge>
      )}
    </span>
  );
}

function Entry({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <span className="flex items-center gap-2.5">
      <Icon size={15} aria-hidden className="shrink-0 text-quiet" /> {children}
    </span>
  );
}

const placeOf = (program: ListedProgram) => (isPartner(program) ? 'Partner portal' : program.domain);
const isPartner = ({ role }: ListedProgram) => role === 'partner';
const isArchived = ({ status }: ListedProgram) => status === 'archived';
/** The workspace’s own programs first, then those that the user is a partner of, and archived ones last. */
const rankOf = (program: ListedProgram) => (isArchived(program) ? 2 : Number(isPartner(program)));
/** A person can manage a program and be a partner of it too. */
const keyOf = (program: ListedProgram) => `${isPartner(program) ? 'portal' : 'program'} ${program.id}`;
