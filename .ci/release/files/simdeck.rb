class Simdeck < Formula
  desc "Terminal console with a robot simulator inside, for ROS 2"
  homepage "{{.Pages}}"
  version "{{.Version}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "{{.Download (.Archive "darwin" "arm64")}}"
      sha256 "{{.Sum (.Archive "darwin" "arm64")}}"
    end
    on_intel do
      url "{{.Download (.Archive "darwin" "amd64")}}"
      sha256 "{{.Sum (.Archive "darwin" "amd64")}}"
    end
  end

  on_linux do
    on_arm do
      url "{{.Download (.Archive "linux" "arm64")}}"
      sha256 "{{.Sum (.Archive "linux" "arm64")}}"
    end
    on_intel do
      url "{{.Download (.Archive "linux" "amd64")}}"
      sha256 "{{.Sum (.Archive "linux" "amd64")}}"
    end
  end

  def install
    bin.install "simdeck"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/simdeck.bash" => "simdeck"
    zsh_completion.install "completions/_simdeck"
    fish_completion.install "completions/simdeck.fish"
    doc.install "README.md", "LICENSE", "THIRD-PARTY-LICENSES"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/simdeck version")
    system bin/"simdeck", "run", "--no-ros", "--rtf", "0", "--duration", "5s"
  end
end
