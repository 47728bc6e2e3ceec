import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import type { ListedProgram } from '../../api/program.ts';
import { Listbox, optionId, useActiveOption } from '../../ui/forms/listbox.tsx';
import type { NavGroup } from '../shell/navigation.ts';
import { type Command, useCommands } from './commands.tsx';

type CommandPaletteProps = { program: ListedProgram | null; groups: NavGroup[]; isOpen: boolean; onClose: () => void };

/** Goes to pages, programs, partners, orders, customers, links and coupons by typing their name. */
export default function CommandPalette({ isOpen, onClose, ...scope }: CommandPaletteProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className="fixed inset-0 z-40 bg-black/45" aria-hidden />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[12dvh] left-1/2 z-50 flex max-h-[70dvh] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-2xl border border-line bg-card shadow-float"
        >
          <Radix.Title className="sr-only">Command palette</Radix.Title>
          <Commands {...scope} onClose={onClose} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Commands({ program, groups, onClose }: Omit<CommandPaletteProps, 'isOpen'>) {
  const router = useRouter();
  const listboxId = useId();
  const [text, setText] = useState('');
  const { commands, isSearching } = useCommands({ program, groups }, text.trim());
  const { active, setActive, moveByKey } = useActiveOption(commands.length);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    if (command.isOutside) location.assign(command.href);
    else router.history.push(command.href);
  };
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isAsked || isSearching) return;
    setAsked(false);
    run(commands[active]);
  });
  const wanted = wantedIn(program);
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Home' && event.key !== 'End' && moveByKey(event)) return;
    if (event.key !== 'Enter') return;
    event.preventDefault();
    // No page has that name. What does, is still being searched for.
    if (commands.length === 0 && isSearching) setAsked(true);
    else run(commands[active]);
  };
  return (
    <>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search size={18} aria-hidden className="shrink-0 text-quiet" />
        <input
          role="combobox"
          aria-label={`Go to a ${wanted}`}
          aria-expanded
          aria-autocomplete="list"
          aria-controls={listboxId}
          aria-activedescendant={commands.length > 0 ? optionId(listboxId, active) : undefined}
          placeholder={`Go to a ${wanted}…`}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
            setAsked(false);
          }}
          onKeyDown={handleKey}
          className="h-13 w-full min-w-0 bg-transparent outline-none placeholder:text-quiet"
        />
      </div>
      <div className="overflow-y-auto">
        <Listbox
          id={listboxId}
          label="Results"
          options={commands.map((command) => ({ value: command.href, content: <CommandLine command={command} /> }))}
          active={active}
          isBusy={isSearching}
          selected={undefined}
          onActivate={setActive}
          onSelect={(index) => run(commands[index])}
        />
        <p role="status" className="px-4 pb-4 text-sm text-quiet empty:hidden">
          {statusOf(text.trim(), commands.length, isSearching)}
        </p>
      </div>
    </>
  );
}

function wantedIn(program: ListedProgram | null): string {
  if (!program) return 'page or program';
  return program.role === 'partner' ? 'page, link or coupon' : 'page, partner, order, customer, link or coupon';
}

function statusOf(text: string, count: number, isSearching: boolean): string | null {
  if (isSearching) return 'Searching…';
  return count === 0 ? `No results for “${text}”` : null;
}

function CommandLine({ command: { icon, title, detail, kind } }: { command: Command }) {
  return (
    <span className="flex items-center gap-2.5">
      <span className="grid size-6 shrink-0 place-items-center text-quiet">{icon}</span>
      <span className="min-w-0 flex-1 truncate">
        {title} {detail && <span className="text-caption text-quiet">{detail}</span>}
      </span>
      <span className="text-xs text-quiet">{kind}</span>
    </span>
  );
}
