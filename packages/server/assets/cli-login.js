// Signs a person in (or up) and hands the result to the terminal that waits for it.
const state = new URLSearchParams(location.search).get('state') ?? '';
const form = document.querySelector('form');
const alertBox = document.querySelector('[role="alert"]');
const button = form?.querySelector('button[type="submit"]');
const switcher = form?.querySelector('button.switch');
const nameField = document.querySelector('#name-field');
let isNew = false;

async function send(path, body) {
  const response = await fetch(path, {
    method: body ? 'POST' : 'GET',
    credentials: 'same-origin',
    headers: body ? { 'Content-Type': 'application/json' } : {},
    body: body && JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error?.message ?? answer.message ?? 'That did not work. Try again.');
  return answer;
}

function show(id) {
  for (const part of document.querySelectorAll('[data-part]')) part.hidden = part.dataset.part !== id;
  document.querySelector(`[data-part="${id}"] h1`)?.focus();
}

async function finish() {
  const { token } = await send('/api/auth/token');
  await send('/api/v1/cli/auth/callback', { state, id_token: token });
  show('done');
}

switcher?.addEventListener('click', () => {
  isNew = !isNew;
  nameField.hidden = !isNew;
  nameField.querySelector('input').required = isNew;
  form.password.autocomplete = isNew ? 'new-password' : 'current-password';
  button.textContent = isNew ? 'Create account and continue' : 'Sign in and continue';
  switcher.textContent = isNew ? 'I have an account' : 'Create an account';
});

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  alertBox.textContent = '';
  button.disabled = true;
  const { name, email, password } = Object.fromEntries(new FormData(form));
  try {
    if (isNew) await send('/api/auth/sign-up/email', { name, email, password });
    else await send('/api/auth/sign-in/email', { email, password });
    await finish();
  } catch (error) {
    alertBox.textContent = error.message;
  } finally {
    button.disabled = false;
  }
});

const confirmButton = document.querySelector('#confirm');
confirmButton?.addEventListener('click', async () => {
  confirmButton.disabled = true;
  try {
    await finish();
  } catch (error) {
    document.querySelector('[data-part="confirm"] [role="alert"]').textContent = error.message;
    confirmButton.disabled = false;
  }
});
document.querySelector('#other')?.addEventListener('click', () => show('sign-in'));

// Somebody who is signed in already only has to say that it is their terminal.
if (form) {
  send('/api/auth/get-session')
    .then((session) => {
      if (!session?.user) return;
      document.querySelector('#who').textContent = session.user.email;
      show('confirm');
    })
    .catch(() => undefined);
}
