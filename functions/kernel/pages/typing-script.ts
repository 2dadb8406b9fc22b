/**
 * The part of the pages' script that responds while the user types: it submits a complete code of six digits, counts down the
 * seconds after which a button works again, and reports whether a new password is long enough.
 */
export const TYPING_SCRIPT = `
for (const input of document.querySelectorAll('input[data-digits]')) {
  const wanted = Number(input.dataset.digits);
  // A form with a choice is not submitted before its reader has made the choice.
  if (input.form.querySelector('input[type=checkbox]')) continue;
  let former = '';
  input.dataset.listens = '';
  input.addEventListener('input', () => {
    const digits = input.value.replace(/[\\s-]/g, '');
    const isComplete = /^[0-9]+$/.test(digits) && digits.length === wanted;
    if (isComplete && digits !== former) input.form.requestSubmit(input.form.querySelector('button[type=submit]:not([name])'));
    former = digits;
  });
}
const coded = document.querySelector('input[autocomplete=one-time-code]');
if (coded && 'OTPCredential' in window) {
  // A phone offers the code of an SMS whose last line names this host.
  navigator.credentials.get({ otp: { transport: ['sms'] } }).then((found) => {
    coded.value = found.code;
    coded.dispatchEvent(new Event('input', { bubbles: true }));
  }, () => {});
}
for (const element of document.querySelectorAll('[data-seconds]')) {
  const end = Date.now() + Number(element.dataset.seconds) * 1000;
  const pattern = element.textContent;
  const isButton = element.matches('button');
  const show = () => {
    const left = Math.ceil((end - Date.now()) / 1000);
    if (left > 0) {
      element.textContent = pattern.replace(/[0-9]+/, String(left));
      setTimeout(show, 500);
    } else if (isButton) {
      element.textContent = element.dataset.ready;
      element.disabled = false;
    } else element.remove();
  };
  if (isButton) element.disabled = true;
  show();
}
for (const search of document.querySelectorAll('[data-search]')) {
  const [input, empty] = [search.querySelector('input'), search.querySelector('[role=status]')];
  const entries = [...document.querySelectorAll('[data-name]')];
  const plain = (text) => text.normalize('NFKD').replace(/\\p{M}/gu, '').toLowerCase();
  search.hidden = false;
  input.addEventListener('input', () => {
    const wanted = plain(input.value.trim());
    for (const entry of entries) entry.hidden = !plain(entry.dataset.name).includes(wanted);
    empty.hidden = entries.some((entry) => !entry.hidden);
  });
  // The return key would choose the first organization, which the search may have hidden.
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const found = entries.filter((entry) => !entry.hidden);
    if (found.length === 1) found[0].click();
  });
}
for (const report of document.querySelectorAll('[data-typed]')) {
  const input = document.getElementById(report.dataset.typed);
  const minimum = Number(report.dataset.minimum);
  input.addEventListener('input', () => {
    const missing = minimum - [...input.value].length;
    report.hidden = input.value === '';
    report.textContent = missing > 0 ? report.dataset.missing.replace('{count}', String(missing)) : report.dataset.enough;
    report.classList.toggle('good', missing <= 0);
  });
}
`.trimStart();
