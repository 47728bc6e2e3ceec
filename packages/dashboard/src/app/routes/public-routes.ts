import { createRoute } from '@tanstack/react-router';
import { oneOf, searchParams, text } from '../../rules/search.ts';
import { rootRoute } from './root-route.ts';

const getParentRoute = () => rootRoute;
const signInSearch = searchParams({ next: text });

const rootHome = createRoute({ getParentRoute, path: '/' });
const home = createRoute({ getParentRoute, path: '/app' });
const signIn = createRoute({
  getParentRoute,
  path: '/app/sign-in',
  validateSearch: signInSearch,
});
const signUp = createRoute({
  getParentRoute,
  path: '/app/sign-up',
  validateSearch: signInSearch,
});
const forgotPassword = createRoute({ getParentRoute, path: '/app/forgot-password' });
const resetPassword = createRoute({ getParentRoute, path: '/app/reset-password' });
const confirmEmail = createRoute({ getParentRoute, path: '/app/confirm-email' });
const unsubscribe = createRoute({ getParentRoute, path: '/app/unsubscribe' });
const newProgram = createRoute({
  getParentRoute,
  path: '/app/start',
});
const applied = createRoute({
  getParentRoute,
  path: '/app/applied',
});
/** The frame of pages that belong to no program. */
const ownPages = createRoute({ getParentRoute, id: 'own' });
const allPrograms = createRoute({ getParentRoute: () => ownPages, path: '/app/programs' });
const account = createRoute({ getParentRoute: () => ownPages, path: '/app/account' });
const payoutMethod = createRoute({ getParentRoute: () => ownPages, path: '/app/account/payout-method' });
const invitation = createRoute({
  getParentRoute,
  path: '/invite',
  validateSearch: searchParams({ preview: oneOf(['yes']) }),
});
const cliLogin = createRoute({
  getParentRoute,
  path: '/cli/login',
  validateSearch: searchParams({ state: text }),
});

const authorization = createRoute({
  getParentRoute,
  path: '/oauth/authorize',
  // The service reads these. They stay in the URL, so that the page can be loaded again.
  validateSearch: searchParams({
    response_type: text,
    client_id: text,
    redirect_uri: text,
    code_challenge: text,
    code_challenge_method: text,
    resource: text,
    scope: text,
    state: text,
  }),
});

export const publicRoutes = [
  rootHome,
  home,
  signIn,
  signUp,
  forgotPassword,
  resetPassword,
  confirmEmail,
  unsubscribe,
  newProgram,
  applied,
  ownPages.addChildren([allPrograms, account, payoutMethod]),
  invitation,
  cliLogin,
  authorization,
] as const;
