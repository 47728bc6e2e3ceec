import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';

type MenuProps = { trigger: ReactNode; children: ReactNode; align?: 'start' | 'end' };

/** A menu under a button. It does not lock the page, for the same reason as the dialog draws its own veil. */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  // Within the content of the page, so that screen readers find it in a landmark.
  const [content, setContent] = useState<HTMLElement | null>(null);
  return (
    <Radix.Root modal={false} onOpenChange={(isOpen) => isOpen && setContent(document.getElementById('content'))}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={content}>
        <Radix.Content
          align={align}
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

type ItemProps = { onSelect: () => void; children: ReactNode; isDanger?: boolean; isDisabled?: boolean };

export function MenuItem({ onSelect, children, isDanger = false, isDisabled }: ItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      disabled={isDisabled}
      className={`flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm outline-none data-disabled:cursor-not-allowed data-disabled:text-quiet data-highlighted:bg-sunken ${isDanger ? 'text-bad' : ''}`}
    >
      {children}
    </Radix.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 pt-2 pb-1 text-xs font-medium text-quiet">{children}</Radix.Label>;
}

export function MenuLine() {
  return <Radix.Separator className="my-1.5 h-px bg-line" />;
}
