import { defineConfig } from 'vite';

/** `vite build mock/console` writes the page into `dist`, from where `mock/control/console-page.ts` serves it. */
export default defineConfig({
  base: '/_mock/console/',
  // Also where a test builds it: the React of development is half as large again.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // The Content-Security-Policy lets no data: URL in but for the icon.
    assetsInlineLimit: 0,
    rolldownOptions: {
      onLog(level, log, handle) {
        // "use client" means nothing to a page without a server.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
