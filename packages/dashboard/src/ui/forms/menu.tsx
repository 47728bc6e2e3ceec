import { Ellipsis } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';

type MenuProps = {
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
  /** For an item that moves the focus somewhere else than back to the trigger. */
  onCloseAutoFocus?: (event: Event) => void;
};

/** A menu that a button opens. It is not modal: locking the page would need a style element that the policy blocks. */
export function Menu({ trigger, children, align = 'end', onCloseAutoFocus }: MenuProps) {
  // Rendered inside the page content, so that screen readers find it in a landmark.
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <Radix.Root modal={false} onOpenChange={(isOpen) => isOpen && setContainer(document.getElementById('content'))}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content
          align={align}
          onCloseAutoFocus={onCloseAutoFocus}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-[70dvh] min-w-48 overflow-y-auto rounded-xl border border-line bg-card p-1.5 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The “…” menu of a row; `name` says which row it belongs to. */
export function ActionsMenu({ name, children }: { name: string; children: ReactNode }) {
  const trigger = (
    <Button size="small" variant="ghost" aria-label={`Actions for ${name}`} className="px-2!">
      <Ellipsis size={17} aria-hidden />
    </Button>
  );
  return <Menu trigger={trigger}>{children}</Menu>;
}

type MenuItemProps = { onSelect: () => void; children: ReactNode; isDanger?: boolean; isDisabled?: boolean };

export function MenuItem({ onSelect, children, isDanger = false, isDisabled = false }: MenuItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      disabled={isDisabled}
      className={`flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm outline-none data-disabled:cursor-default data-disabled:opacity-55 data-highlighted:bg-sunken ${isDanger ? 'text-bad' : ''}`}
    >
      {children}
    </Radix.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 pt-2 pb-1 text-xs font-medium text-quiet">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1.5 h-px bg-line" />;
}
