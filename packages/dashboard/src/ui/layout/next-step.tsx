import { Link } from '@tanstack/react-router';
import { settings } from '../../api/settings.ts';

/** Where somebody can go from a page that has nothing for them: to their programs, or to the docs. */
export function NextStep({ guide }: { guide?: string }) {
  return (
    <span className="inline-flex flex-wrap justify-center gap-x-4 gap-y-1">
      <Link to="/app">Sign in or go to your programs</Link>
      <a href={`${settings.base_url}/docs/guide${guide ? `/${guide}` : ''}`}>Read the docs</a>
    </span>
  );
}
