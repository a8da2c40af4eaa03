//! The monitor of a terminal: a progress bar after half a second, Ctrl-C at once.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use isotherm::monitor::{Event, Monitor};
use isotherm_io::{Destination, Source};

/// Set by Ctrl-C; every monitor sees it.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Set while standard input is read: such a read may block for ever.
static WAITING: AtomicBool = AtomicBool::new(false);

/// The bar, so that whatever is said can be said beside it.
static BAR: OnceLock<ProgressBar> = OnceLock::new();

/// Set when standard output belongs to the data: no bar from here on.
static AWAY: AtomicBool = AtomicBool::new(false);

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Makes Ctrl-C ask for an orderly stop: the library returns, temporary files
/// go, the exit code is 130.
pub(crate) fn listen_for_interrupts() {
    // Without a handler Ctrl-C still ends the process, only less tidily.
    let _ = ctrlc::set_handler(|| {
        let again = INTERRUPTED.swap(true, Ordering::Relaxed);
        if again || WAITING.load(Ordering::Relaxed) {
            leave();
        }
    });
}

/// Ends the process from the handler's thread: nothing is written yet while
/// input is awaited, and who asks twice does not want to wait.
#[allow(clippy::exit)]
fn leave() {
    std::process::exit(130)
}

/// Runs `read`; if it reads standard input, Ctrl-C does not wait for it.
pub(crate) fn awaiting<T>(source: &Source, read: impl FnOnce() -> T) -> T {
    awaiting_any(std::slice::from_ref(source), read)
}

/// As [`awaiting`], where several are read.
pub(crate) fn awaiting_any<T>(sources: &[Source], read: impl FnOnce() -> T) -> T {
    WAITING.store(sources.contains(&Source::Stdin), Ordering::Relaxed);
    let done = read();
    WAITING.store(false, Ordering::Relaxed);
    done
}

/// Says something without the bar in its way: the bar is taken off the screen
/// and drawn again below.
pub(crate) fn aside<T>(say: impl FnOnce() -> T) -> T {
    match BAR.get() {
        Some(bar) => bar.suspend(say),
        None => say(),
    }
}

/// Takes the bar away for good when the data goes to standard output.
pub(crate) fn make_way(for_data: &Destination) {
    if let (Destination::Stdout, Some(bar)) = (for_data, BAR.get()) {
        AWAY.store(true, Ordering::Relaxed);
        bar.finish_and_clear();
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
}

/// Shows phases, steps and residuals on standard error.
pub(crate) struct Terminal {
    bar: ProgressBar,
    shown: bool,
    started: Instant,
}

impl Terminal {
    /// Shows nothing when `visible` is false or standard error is no terminal.
    pub(crate) fn new(visible: bool) -> Self {
        let shown = visible && std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        // There is one terminal; a second monitor would keep its bar to itself.
        let _ = BAR.set(bar.clone());
        Self {
            bar,
            shown,
            started: Instant::now(),
        }
    }

    /// Takes the bar off the screen.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn reveal(&mut self) {
        let away = AWAY.load(Ordering::Relaxed);
        if self.bar.is_hidden() && !away && self.started.elapsed() > PATIENCE {
            self.bar
                .set_draw_target(ProgressDrawTarget::stderr_with_hz(8));
        }
    }

    fn begin(&mut self, name: &'static str, steps: Option<usize>) {
        let known = "{msg:24} [{bar:30}] {human_pos}/{human_len} {per_sec}, {eta} left";
        let unknown = "{msg:24} {spinner} {elapsed}";
        let template = if steps.is_some() { known } else { unknown };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.progress_chars("=> "));
        }
        self.bar.reset();
        self.bar.set_length(steps.unwrap_or(0) as u64);
        self.bar.set_message(name);
    }
}

impl Monitor for Terminal {
    fn on(&mut self, event: Event) -> ControlFlow<()> {
        if INTERRUPTED.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        if self.shown {
            self.reveal();
            match event {
                Event::Phase { name, steps } => self.begin(name, steps),
                Event::Step { done } => self.bar.set_position(done as u64),
                Event::Residual {
                    iteration,
                    relative,
                } => self
                    .bar
                    .set_message(format!("iteration {iteration}, residual {relative:.1e}")),
                _ => self.bar.tick(),
            }
        }
        ControlFlow::Continue(())
    }
}
