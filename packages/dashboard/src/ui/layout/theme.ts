import { useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const STORAGE_KEY = 'svc-theme';

/** Applies the theme to the page; `system` follows the operating system. */
export function applyTheme(theme: Theme = storedTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The current theme and its setter. The choice is remembered in this browser. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setThemeState] = useState(storedTheme);
  const setTheme = (selected: Theme) => {
    try {
      localStorage.setItem(STORAGE_KEY, selected);
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
    applyTheme(selected);
    setThemeState(selected);
  };
  return [theme, setTheme];
}

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}
