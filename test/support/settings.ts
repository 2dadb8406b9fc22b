import { environments } from '../../functions/kernel/storage/environment.ts';
import { advance } from './service.ts';
import { commitRows } from './user-rows.ts';
import { environment } from './users.ts';

/** Adds sections to the environment's settings as a row, such as limits, and waits until the service uses them. */
export async function setSettings(sections: Record<string, unknown>): Promise<void> {
  const id = await environment();
  const current = await environments.get(id, id);
  if (current === undefined) throw new Error('The service has no environment');
  const settings = { ...(current.settings as Record<string, unknown> | undefined), ...sections };
  await commitRows(id, [environments.revise(current, { settings }).write]);
  // Environments are cached for five seconds.
  await advance(6);
}
