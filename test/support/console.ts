import { type Browser, browser, type Page } from './browser.ts';
import { service } from './service.ts';

/** An operator in a browser. */
export interface ConsoleVisitor {
  person: Browser;
  /** The page to which the link led. */
  first: Page;
}

/** Opens a path of the service in a browser. */
export const openPath = async (person: Browser, path: string): Promise<Page> =>
  person.open(`${(await service()).url}${path}`);

/** Signs a browser in to the console as the local owner, by `/_local/console`. */
export async function openConsole(person: Browser = browser()): Promise<ConsoleVisitor> {
  const link = await openPath(person, '/_local/console');
  return { person, first: await person.submit(link) };
}
