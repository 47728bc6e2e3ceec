import { useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'svc-theme';

/** Puts the remembered theme on the page; without one the system's is in force. */
export function applyTheme(theme: Theme = remembered()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The theme in force, and how to choose another, which is remembered in this browser. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(remembered);
  const choose = (chosen: Theme) => {
    try {
      localStorage.setItem(KEY, chosen);
    } catch {
      // Browsers that store nothing forget it with the page.
    }
    applyTheme(chosen);
    setTheme(chosen);
  };
  return [theme, choose];
}

function remembered(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}
