// Production: hashed chunks (fw, vendor, one per route), with gzip and brotli, and a record of the files of each route for
// `check:size`. Development: a server on loopback that proxies /api to the gateway.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants } from 'node:zlib';
import CompressionPlugin from 'compression-webpack-plugin';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import { FIRST_COPY } from './scripts/firstCopy.ts';

const here = dirname(fileURLToPath(import.meta.url));
const GATEWAY = process.env.SEEDUP_GATEWAY ?? 'http://127.0.0.1:8080';
// Its exports lead to the development build, which carries warnings, whatever the mode.
const ROUTER = resolve(here, 'node_modules/react-router/dist/production/index.mjs');
const { version } = JSON.parse(readFileSync(resolve(here, 'package.json'), 'utf8'));

/** Copies static files: icons, manifest, the script before the first paint, and the fonts built by `npm run fonts`. */
class CopyPublicFiles {
  apply(compiler) {
    compiler.hooks.afterEmit.tap('CopyPublicFiles', ({ outputOptions }) => {
      cpSync(resolve(here, 'public'), outputOptions.path, { recursive: true });
      const fonts = resolve(here, 'generated/fonts');
      if (existsSync(fonts)) cpSync(fonts, resolve(outputOptions.path, 'fonts'), { recursive: true });
    });
  }
}

/** Writes the files of each entry and each named route chunk. */
class RecordChunkGroups {
  apply(compiler) {
    compiler.hooks.done.tap('RecordChunkGroups', (stats) => {
      const { namedChunkGroups } = stats.toJson({ all: false, chunkGroups: true });
      const groups = Object.fromEntries(
        Object.entries(namedChunkGroups ?? {}).map(([name, group]) => [name, group.assets.map((asset) => asset.name)]),
      );
      mkdirSync(resolve(here, 'generated'), { recursive: true });
      writeFileSync(resolve(here, 'generated/chunk-groups.json'), JSON.stringify(groups, null, 2));
    });
  }
}

/** The screen of a visitor who opens a member's screen. */
const LOGIN_CHUNK = 'route-session';
/**
 * The chunks of an address besides the entry, by path pattern: the screen, and for a member's screen the one a visitor gets.
 * Other chunks load on demand.
 */
const CHUNKS_OF_PATHS = [
  ['^/$', 'route-boot'],
  ['^/home$', 'route-home', LOGIN_CHUNK],
  ['^/market-trend$', 'route-trend'],
  ['^/invest-v2/stock$', 'route-stock-list'],
  ['^/invest-v2/coin$', 'route-coin-list'],
  ['^/invest-v2/gold$', 'route-gold-list'],
  ['^/invest-v2/product$', 'route-product-list'],
  ['^/invest-v2/(stock|stock-etf|coin|gold)/.', 'route-detail'],
  ['^/invest-v2/product/.', 'route-product'],
  ['^/my/(holdings|account)$', 'route-holdings', LOGIN_CHUNK],
  ['^/study-v2$', 'route-learn', LOGIN_CHUNK],
  ['^/study-v2/articles$', 'route-learn'],
  ['^/study-v2/readable/', 'route-study'],
  ['^/community$', 'route-community'],
  ['^/community/detail$', 'route-post'],
  ['^/my$', 'route-my', LOGIN_CHUNK],
];

/** Emits the script in the page's head that loads the screen's chunk together with the entry instead of after it. */
class PreloadRoutes {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('PreloadRoutes', (compilation) => {
      // Early, so that the final hashes replace the first ones.
      const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tap({ name: 'PreloadRoutes', stage }, () => {
        const entry = new Set(compilation.entrypoints.get('main')?.getFiles());
        const filesOf = (chunk) => {
          const group = compilation.namedChunkGroups.get(chunk);
          if (!group) throw new Error(`CHUNKS_OF_PATHS names ${chunk}, which no route loads`);
          return group.getFiles().filter((file) => !entry.has(file) && /\.(js|css)$/.test(file));
        };
        const table = CHUNKS_OF_PATHS.map(([pattern, ...chunks]) => [pattern, ...chunks.map(filesOf)]);
        const template = readFileSync(resolve(here, 'scripts/preload-routes.js'), 'utf8');
        const source = template.replace('ROUTE_FILES.find', () => `${JSON.stringify(table)}.find`);
        compilation.emitAsset('preload.js', new compiler.webpack.sources.RawSource(source));
      });
    });
  }
}

// Screens behind others: they share only what the entry has anyway, so that they never make the first ones load more files.
const LATER = /^route-(notifications|money|contracts|items|post|community-write|community-people)$|^community-/;
const apartFromFirst = ({ name }) => name !== 'first';

export default (_env, { mode = 'production' }) => {
  const isProduction = mode === 'production';
  return {
    mode,
    target: ['web', 'es2020'],
    entry: {
      main: './src/main.tsx',
      // A separate entry: it must not wait for the client's shared code.
      first: { import: './src/app/firstPage/draw.ts', runtime: false },
    },
    devtool: isProduction ? false : 'eval-source-map',
    cache: { type: 'filesystem', cacheDirectory: resolve(here, 'node_modules/.cache/webpack') },
    output: {
      path: resolve(here, 'dist'),
      publicPath: '/',
      filename: isProduction ? 'assets/[name].[contenthash:8].js' : 'assets/[name].js',
      chunkFilename: isProduction ? 'assets/[name].[contenthash:8].js' : 'assets/[name].js',
      assetModuleFilename: 'assets/[name].[contenthash:8][ext]',
      clean: true,
    },
    resolve: { extensions: ['.tsx', '.ts', '.js'], alias: { '@': resolve(here, 'src'), ...(isProduction && { 'react-router$': ROUTER }) } },
    module: {
      rules: [
        { test: /react-router[\\/]dist[\\/]/, loader: resolve(here, 'scripts/droppableComponents.js') },
        {
          test: /\.tsx?$/,
          exclude: /node_modules/,
          loader: 'swc-loader',
          options: {
            jsc: {
              parser: { syntax: 'typescript', tsx: true },
              transform: { react: { runtime: 'automatic', development: !isProduction } },
              target: 'es2020',
            },
          },
        },
        {
          test: /\.module\.css$/,
          use: [
            MiniCssExtractPlugin.loader,
            {
              loader: 'css-loader',
              options: {
                modules: {
                  namedExport: false,
                  exportLocalsConvention: 'as-is',
                  localIdentName: isProduction ? '[hash:base64:6]' : '[name]_[local]',
                },
              },
            },
          ],
        },
        {
          test: /\.css$/,
          exclude: /\.module\.css$/,
          use: [MiniCssExtractPlugin.loader, { loader: 'css-loader', options: { url: false } }],
        },
        { test: /\.svg$/, type: 'asset/resource' },
      ],
    },
    optimization: {
      minimizer: ['...', new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify })],
      // A phone pays for every file: code shared by several screens is part of the entry.
      splitChunks: {
        chunks: (chunk) => apartFromFirst(chunk) && !LATER.test(chunk.name ?? ''),
        cacheGroups: {
          fw: { test: /node_modules/, name: 'fw', chunks: (chunk) => chunk.name !== 'first' && chunk.canBeInitial(), priority: 20 },
          queries: { test: /node_modules[\\/]@tanstack[\\/]/, name: 'fw', chunks: apartFromFirst, priority: 30 },
          // No screen opens with an overlay.
          overlays: { test: /[\\/]shared[\\/]ui[\\/](Dialog|Sheet|useModal|Modal\.module)\.\w+$/, name: 'overlays', chunks: apartFromFirst, enforce: true, priority: 20 },
          main: { test: /[\\/]src[\\/]/, name: 'main', minChunks: 9, priority: 10 },
        },
      },
    },
    plugins: [
      new HtmlWebpackPlugin({
        template: 'src/index.html',
        scriptLoading: 'defer',
        chunks: ['main'],
        templateParameters: (compilation) => ({
          version,
          // The table of preloads names files of one build, so a cached one of another must not answer.
          build: compilation.hash,
          copy: FIRST_COPY,
          first: compilation.entrypoints.get('first').getFiles().find((file) => file.endsWith('.js')),
        }),
      }),
      new MiniCssExtractPlugin({
        filename: isProduction ? 'assets/[name].[contenthash:8].css' : 'assets/[name].css',
        chunkFilename: isProduction ? 'assets/[name].[contenthash:8].css' : 'assets/[name].css',
        ignoreOrder: true,
      }),
      new CopyPublicFiles(),
      new PreloadRoutes(),
      new RecordChunkGroups(),
      ...(isProduction
        ? [
            new CompressionPlugin({ algorithm: 'gzip', test: /\.(js|css|svg)$/, compressionOptions: { level: 9 } }),
            new CompressionPlugin({
              algorithm: 'brotliCompress',
              filename: '[path][base].br',
              test: /\.(js|css|svg)$/,
              compressionOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } },
            }),
          ]
        : []),
    ],
    performance: false,
    stats: 'errors-warnings',
    devServer: {
      host: '127.0.0.1',
      port: 5173,
      historyApiFallback: true,
      static: [resolve(here, 'public'), resolve(here, 'generated')],
      client: { overlay: { runtimeErrors: false } },
      proxy: [{ context: ['/api', '/config.json'], target: GATEWAY }],
    },
  };
};

