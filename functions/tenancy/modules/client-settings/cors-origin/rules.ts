import { isLoopback } from '../redirect-uri/rules.ts';

/** The reasons why a text is not an origin. */
export interface OriginProblem {
  code: string;
  message: string;
}

const MAX_LENGTH = 300;

/** Schemes of pages outside the web: packaged apps and browser extensions send such an origin. */
const APP_ORIGIN =
  /^(?:capacitor|ionic|tauri|app|chrome-extension|moz-extension|safari-web-extension):\/\/[a-z0-9.-]+$/;

/**
 * Parses an origin as browsers write it (RFC 6454 section 6.2): scheme, host and a port that is not the scheme's default,
 * in lower case. `https://App.Example.com:443/` is `https://app.example.com`.
 */
export function readOrigin(text: string): { origin: string } | OriginProblem {
  if (text.length > MAX_LENGTH) return { code: 'maxLength', message: `origin has at most ${MAX_LENGTH} characters` };
  if (!/^[\x21-\x7e]+$/.test(text) || /[\\*]/.test(text)) {
    return { code: 'isOrigin', message: 'origin must be one exact origin, such as https://app.example.com' };
  }
  if (APP_ORIGIN.test(text)) return { origin: text };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return { code: 'isOrigin', message: 'origin must be scheme, host and port, such as https://app.example.com' };
  }
  const isBare = url.href === `${url.origin}/` && !/[?#@]/.test(text);
  if (!isBare || url.hostname.endsWith('.')) {
    return { code: 'isOrigin', message: `origin must have no path, query, fragment or user; write ${url.origin}` };
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return {
      code: 'isSecure',
      message: 'origin must be https; http is allowed only for localhost, *.localhost, 127.0.0.0/8 and [::1]',
    };
  }
  return { origin: url.origin };
}
