import { useRequestHandlers } from '../../functions/kernel/aws-requests.ts';
import { closeBlobClient } from '../../functions/kernel/blobs/client.ts';
import { clock } from '../../functions/kernel/clock.ts';
import { sendLinesTo } from '../../functions/kernel/log.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';
import { closeTableClient } from '../../functions/kernel/storage/client.ts';
import { closeChannels } from '../../functions/outbound/messages/channels.ts';

/** Discards what the modules that test files share have of one: caches, settings, clients and the time. */
export function forgetFile(): void {
  clock.reset();
  forgetSettings();
  closeTableClient();
  closeBlobClient();
  void closeChannels();
  useRequestHandlers((options) => options);
  sendLinesTo((line) => void process.stdout.write(`${line}\n`));
}
