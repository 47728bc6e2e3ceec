import { Navigate } from '@tanstack/react-router';
import { useRead } from '../../api/hooks.ts';
import { FrontPage } from '../../ui/front-page.tsx';
import { Loaded } from '../../ui/loaded.tsx';

const ASK_MS = 15_000;

/** For people who applied to a program and wait for the brand; once it has approved them they go on by themselves. */
export function Page() {
  const me = useRead('manageMe', {}, { everyMs: ASK_MS });
  return (
    <Loaded read={me}>
      {({ data: { partner_of: places } }) => {
        const waiting = places.filter(({ status }) => status === 'applied').map(({ name }) => name);
        if (waiting.length === 0 || places.some(({ status }) => status === 'active'))
          return <Navigate to="/app" replace />;
        return (
          <FrontPage
            title="Your application was sent"
            words={`${waiting.join(', ')} will look at it. Come back here, or leave this page open: it goes on as soon as you are approved.`}
            footer={<a href="/app/account">Your account</a>}
          />
        );
      }}
    </Loaded>
  );
}
