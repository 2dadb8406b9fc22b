import { forgetSettings } from '../../functions/kernel/settings.ts';

/** Lets this process's kernel be reached at a base URL, or at none; what it has read of its settings is read again. */
export function serveAt(url: string | undefined): void {
  if (url === undefined) delete process.env.GATEHOUSE_BASE_URL;
  else process.env.GATEHOUSE_BASE_URL = url;
  forgetSettings();
}
