import sbom from 'rollup-plugin-sbom';
import { defineConfig } from 'vite';

/** `vite build mock/console` writes the page into `dist`, from where `mock/control/console-page.ts` serves it. */
export default defineConfig({
  base: '/_mock/console/',
  // Preact does what the page needs of React in a tenth of its size.
  resolve: { alias: { react: 'preact/compat', 'react-dom': 'preact/compat' } },
  // Without these two lines a build in a test would contain React's development version, which is half as large again.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  define: { 'process.env.NODE_ENV': '"production"' },
  // What the page contains of others: their licences, and a CycloneDX SBOM.
  plugins: [sbom({ outDir: '.', outFilename: 'sbom', outFormats: ['json'], includeWellKnown: false })],
  build: {
    license: { fileName: 'licenses.md' },
    target: 'es2023',
    // They know light-dark(), which else is rewritten, and `color-scheme` is in another style sheet.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // The Content-Security-Policy allows no data: URLs except the icon.
    assetsInlineLimit: 0,
    // The "use client" directive means nothing in a page without a server.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
});
