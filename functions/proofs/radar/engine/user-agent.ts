/** Programs that send requests, by the beginning of their user agent. */
const TOOL =
  /^(?:curl|wget|python|aiohttp|httpx|go-http-client|java|apache-httpclient|okhttp|axios|node|undici|got |ruby|perl|libwww|php|guzzle|postman|insomnia|httpie|powershell|scrapy|k6|jmeter|hydra|nmap|sqlmap|openbullet|dart|rest-client|faraday|fasthttp)/i;

/** Words in the user agents of browsers without a window, or for crawlers. */
const HEADLESS = /headless|phantomjs|puppeteer|playwright|selenium|webdriver|electron-fetch|bot\b|crawler|spider/i;

/**
 * Combinations that no browser sends: Safari on Windows ended in 2012, and Internet Explorer and EdgeHTML ran on no other
 * system.
 */
const IMPOSSIBLE = [
  /Windows NT.*Version\/\d+.*Safari\/(?!.*(?:Chrome|Chromium|Edg|OPR))/,
  /(?:MSIE|Trident).*(?:Macintosh|Linux|Android|iPhone)/,
  /(?:iPhone|iPad).*Windows NT/,
  /Android.*(?:iPhone|Macintosh)/,
];

/** The kind of a user agent, as far as the text shows it. */
export type UserAgentKind = 'browser' | 'empty' | 'tool' | 'headless' | 'impossible' | 'unknown';

/**
 * Reports the kind of a user agent. Any client can send any text, so this only finds clients that do not disguise
 * themselves.
 */
export function userAgentKind(text: string): UserAgentKind {
  const trimmed = text.trim();
  if (trimmed === '') return 'empty';
  if (TOOL.test(trimmed)) return 'tool';
  if (HEADLESS.test(trimmed)) return 'headless';
  if (IMPOSSIBLE.some((pattern) => pattern.test(trimmed))) return 'impossible';
  return trimmed.startsWith('Mozilla/5.0 (') ? 'browser' : 'unknown';
}
