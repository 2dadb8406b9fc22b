/**
 * The script of forms for passkeys. It shows each form whose options it can pass to `navigator.credentials`, and sends the
 * response of the authenticator as JSON. A form with `data-conditional` also lets the browser offer passkeys at the email
 * field. Links with `data-passkey-link` are shown if the browser has passkeys, and `data-without` is the address to which a
 * browser without passkeys is redirected.
 */
export const PASSKEY_SCRIPT = `
(() => {
  const links = document.querySelectorAll('[data-passkey-link]');
  const forms = document.querySelectorAll('form[data-passkey]');
  if (window.PublicKeyCredential === undefined) {
    const without = document.querySelector('[data-without]');
    if (without) location.replace(without.dataset.without);
    return;
  }
  for (const link of links) link.hidden = false;
  const decode = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const encode = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const listed = (list) => (list ?? []).map((one) => ({ ...one, id: decode(one.id) }));
  const write = ({ rawId, type, response }) => {
    const members = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
    const parts = members.filter((name) => response[name]).map((name) => [name, encode(response[name])]);
    const transports = response.getTransports ? { transports: response.getTransports() } : {};
    const id = encode(rawId);
    return JSON.stringify({ id, rawId: id, type, response: { ...Object.fromEntries(parts), ...transports } });
  };
  for (const form of forms) {
    const { passkey: kind, conditional, failed, existing } = form.dataset;
    const { user, ...options } = JSON.parse(form.dataset.options);
    const publicKey = { ...options, challenge: decode(options.challenge), ...(user && { user: { ...user, id: decode(user.id) } }) };
    if (kind === 'get') publicKey.allowCredentials = listed(options.allowCredentials);
    else publicKey.excludeCredentials = listed(options.excludeCredentials);
    const status = form.querySelector('[role=status]');
    let running;
    let sent = false;
    window.addEventListener('pageshow', () => { sent = false; });
    const run = async (more) => {
      if (sent) return;
      running?.abort();
      const own = (running = new AbortController());
      status.textContent = '';
      try {
        const credential = await navigator.credentials[kind]({ publicKey, signal: own.signal, ...more });
        form.elements.credential.value = write(credential);
        sent = true;
        form.submit();
      } catch (error) {
        if (own.signal.aborted || more) return;
        status.textContent = error.name === 'InvalidStateError' && existing ? existing : failed;
      }
    };
    form.hidden = false;
    form.querySelector('[data-run]').addEventListener('click', () => run());
    if (conditional !== undefined) {
      PublicKeyCredential.isConditionalMediationAvailable?.()
        .then((available) => { if (available) run({ mediation: 'conditional' }); }, () => undefined);
    }
  }
})();
`.trimStart();
