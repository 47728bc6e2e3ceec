import { useEffect } from 'react';

type Shortcuts = { onPalette: () => void };

/** ⌘K or Ctrl+K opens the command palette; `/` goes to the search of the list, or to the palette on pages without one. */
export function useShortcuts({ onPalette }: Shortcuts): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey;
      const isSearch = event.key === '/' && !event.metaKey && !event.ctrlKey && !isTyping(event.target);
      if ((!isPalette && !isSearch) || isDialogOpen()) return;
      event.preventDefault();
      const search = isSearch ? document.querySelector<HTMLInputElement>('main input[type="search"]') : null;
      if (search) search.focus();
      else onPalette();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [onPalette]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"][data-state="open"]') !== null;
}
