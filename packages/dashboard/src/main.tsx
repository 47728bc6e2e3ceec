import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles.css';
import { App } from './app/app.tsx';
import { applyTheme } from './ui/layout/theme.ts';

applyTheme();

// A page that was open while the service was updated asks for files of the build before; the new page knows the new ones.
addEventListener('vite:preloadError', () => location.reload());

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
