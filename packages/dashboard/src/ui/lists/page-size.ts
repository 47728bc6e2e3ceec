import { useSyncExternalStore } from 'react';

export const PAGE_SIZES = [25, 50, 100] as const;

const KEY = 'svc-page-size';
const DEFAULT_SIZE = PAGE_SIZES[0];

/** How many rows a page of a list has, as viewers chose it in this browser, and a setter. */
export function usePageSize(): [size: number, change: (size: number) => void] {
  return [useSyncExternalStore(listen, storedSize), storeSize];
}

function listen(onChange: () => void): () => void {
  window.addEventListener('storage', onChange);
  return () => window.removeEventListener('storage', onChange);
}

function storedSize(): number {
  try {
    const stored = Number(localStorage.getItem(KEY));
    return PAGE_SIZES.find((size) => size === stored) ?? DEFAULT_SIZE;
  } catch {
    return DEFAULT_SIZE;
  }
}

function storeSize(size: number): void {
  try {
    localStorage.setItem(KEY, String(size));
  } catch {
    // Without storage, pages keep their usual size.
  }
  // Browsers tell only other windows.
  window.dispatchEvent(new StorageEvent('storage', { key: KEY }));
}
