import Script from 'next/script';

export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>
        {children}
        <Script src="https://track.example.com/js/svc-tracker.js" data-svc-program-id="42" />
      </body>
    </html>
  );
}
