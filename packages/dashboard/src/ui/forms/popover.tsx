import { Popover as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';

type PopoverProps = {
  /** The accessible name of the panel. */
  label: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The button that opens it. */
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
  className?: string;
  /** Leave the focus on the trigger, which then handles the keys itself. */
  keepsFocus?: boolean;
};

/** A panel below a button. It is not modal: locking the page would need a style element that the policy blocks. */
export function Popover(props: PopoverProps) {
  const { label, isOpen, onOpenChange, trigger, children, align = 'start', className = '', keepsFocus = false } = props;
  const [wasOpen, setWasOpen] = useState(false);
  const [container, setContainer] = useState<HTMLElement | null>(null);
  // Decided before it is there, because it is a dialog itself.
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setContainer(landmark());
  }
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => (keepsFocus ? event.preventDefault() : goOnTyping(event))}
          className={`z-50 max-h-(--radix-popover-content-available-height) max-w-(--radix-popover-content-available-width) overflow-y-auto rounded-xl border border-line bg-card shadow-float ${className}`}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** What was typed to open the panel is the start of what is typed in it. Otherwise it would be selected, and replaced. */
function goOnTyping(event: Event): void {
  const field = (event.currentTarget as HTMLElement).querySelector('input');
  if (!field?.value) return;
  event.preventDefault();
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

/** Panels are rendered inside the page content, so that screen readers find them in a landmark; above a dialog, beside it. */
function landmark(): HTMLElement | null {
  if (document.querySelector('[role="dialog"][data-state="open"]')) return null;
  return document.querySelector<HTMLElement>('main');
}
