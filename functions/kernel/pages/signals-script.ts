/** The path of the operation that the script of Radar calls. */
export const SIGNALS_PATH = '/x/radar/signals';

/**
 * The script of Radar, which the hosted pages contain and other pages may load. It reports whether a program controls the
 * browser, and gets a `signals_id` for it. It fills each `input[data-signals]`, whose attribute is the client id, and again
 * before the id expires; `gatehouseRadar.collect(clientId)` returns one. On pages of another origin it names the device by
 * a random value in their local storage. On the hosted pages it does not: their device cookie is hidden from scripts.
 */
export const SIGNALS_SCRIPT = `
(() => {
  const { origin } = new URL(document.currentScript.src);
  const device = () => {
    if (origin === location.origin) return undefined;
    try {
      const stored = localStorage.getItem('gatehouse-device') ?? crypto.randomUUID();
      localStorage.setItem('gatehouse-device', stored);
      return stored;
    } catch { return undefined; }
  };
  const collect = async (clientId) => {
    const automation = navigator.webdriver === true || /Headless/.test(navigator.userAgent);
    const body = JSON.stringify({ client_id: clientId, automation, device: device() });
    try {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(origin + '${SIGNALS_PATH}', { method: 'POST', headers, body, credentials: 'omit' });
      return response.ok ? (await response.json()).signals_id : undefined;
    } catch { return undefined; }
  };
  window.gatehouseRadar = { collect };
  const inputs = document.querySelectorAll('input[data-signals]');
  const fill = async () => { for (const input of inputs) input.value = (await collect(input.dataset.signals)) ?? ''; };
  if (inputs.length > 0) { fill(); setInterval(fill, 600000); }
})();
`.trimStart();
