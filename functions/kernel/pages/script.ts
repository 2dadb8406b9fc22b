import { createHash } from 'node:crypto';

import { PASSKEY_SCRIPT } from './passkey-script.ts';
import { SIGNALS_SCRIPT } from './signals-script.ts';
import { TYPING_SCRIPT } from './typing-script.ts';

/** The path prefix of the pages' script. */
export const ASSETS_PATH = '/hosted/assets';

/**
 * Optional functions of the pages with JavaScript: showing a password, preventing a second submission, copying a key,
 * the name in place of a broken logo, responses to typing, passkeys, and reporting signals to Radar.
 */
export const SCRIPT = `
'use strict';
for (const form of document.forms) {
  let sent = false;
  form.addEventListener('submit', (event) => {
    if (sent) { event.preventDefault(); return; }
    sent = true;
    // After the browser has read which button was pressed.
    setTimeout(() => {
      event.submitter?.setAttribute('aria-busy', 'true');
      for (const button of form.querySelectorAll('.button')) button.setAttribute('aria-disabled', 'true');
    });
  });
  // A form that the back button shows again, or that led to a download, may be sent again.
  window.addEventListener('pageshow', () => {
    sent = false;
    for (const button of form.querySelectorAll('button')) {
      button.removeAttribute('aria-disabled');
      button.removeAttribute('aria-busy');
    }
  });
}
for (const button of document.querySelectorAll('.secret button')) {
  const input = button.parentElement.querySelector('input');
  button.hidden = false;
  button.addEventListener('click', () => {
    const shown = input.type === 'text';
    input.type = shown ? 'password' : 'text';
    button.setAttribute('aria-pressed', String(!shown));
    input.focus();
  });
  input.form.addEventListener('submit', () => { input.type = 'password'; });
}
for (const button of document.querySelectorAll('[data-copy]')) {
  // Browsers only allow pages to copy over https.
  button.hidden = navigator.clipboard === undefined;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.copied;
  });
}
for (const chooser of document.querySelectorAll('[data-file]')) {
  chooser.hidden = false;
  const input = chooser.querySelector('input');
  input.addEventListener('change', async () => {
    const [file] = input.files;
    if (file) document.getElementById(chooser.dataset.file).value = await file.text();
  });
}
for (const image of document.querySelectorAll('.brand img')) {
  // The name takes the place of a logo that cannot be loaded.
  const replace = () => { image.closest('.brand').textContent = image.alt; };
  if (image.complete && image.naturalWidth === 0) replace();
  else image.addEventListener('error', replace);
}
const waiting = document.querySelector('[data-reload]');
if (waiting) {
  const reload = () => {
    if (!document.hidden) location.reload();
    else setTimeout(reload, 1000);
  };
  setTimeout(reload, Number(waiting.dataset.reload) * 1000);
}
${TYPING_SCRIPT}${PASSKEY_SCRIPT}${SIGNALS_SCRIPT}`.trimStart();

/** The name contains a digest of its content, so a browser may cache it without limit. */
export const SCRIPT_NAME = `pages-${createHash('sha256').update(SCRIPT).digest('hex').slice(0, 16)}.js`;
