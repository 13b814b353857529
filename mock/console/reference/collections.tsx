import { useTenant } from '../navigation/use-tenant.ts';
import { DownloadButton } from '../parts/download-button.tsx';

const files = [
  ['postman', 'Postman', 'partner-api.postman_collection.json'],
  ['bruno', 'Bruno', 'partner-api.bruno.zip'],
  ['http', '.http file', 'partner-api.http'],
] as const;

/** Downloads all operations as a collection for API clients. */
export function Collections() {
  const [tenant] = useTenant();
  if (tenant === null) return null;
  return (
    <section aria-labelledby="collections">
      <h3 id="collections">In your API client</h3>
      <p className="quiet">All operations, with the address of this mock and the ids and fake keys of {tenant}.</p>
      <div className="row">
        {files.map(([format, label, fileName]) => (
          <DownloadButton
            key={format}
            path={`/collections/${format}?${new URLSearchParams({ tenant })}`}
            fileName={fileName}
            label={label}
            subject="collection"
          />
        ))}
      </div>
    </section>
  );
}
