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
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const change = (opens: boolean) => {
    if (opens) setContainer(landmark());
    onOpenChange(opens);
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={change}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => keepsFocus && event.preventDefault()}
          className={`z-50 max-h-(--radix-popover-content-available-height) max-w-(--radix-popover-content-available-width) overflow-y-auto rounded-xl border border-line bg-card shadow-float ${className}`}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Panels are rendered inside the page content, so that screen readers find them in a landmark; above a dialog, beside it. */
function landmark(): HTMLElement | null {
  if (document.querySelector('[role="dialog"][data-state="open"]')) return null;
  return document.querySelector<HTMLElement>('main');
}
