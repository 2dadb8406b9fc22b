import { forgetSettings } from '../../functions/kernel/settings.ts';

/** Sets the base URL of this process's kernel, or none; its settings are read again. */
export function serveAt(url: string | undefined): void {
  if (url === undefined) delete process.env.GATEHOUSE_BASE_URL;
  else process.env.GATEHOUSE_BASE_URL = url;
  forgetSettings();
}
