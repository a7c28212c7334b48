"""Classes of modules: each names what to call instead."""

from torch import nn


def activations():
    return [
        nn.CELU(), nn.ELU(), nn.GELU(), nn.GLU(), nn.Hardshrink(),
        nn.Hardsigmoid(), nn.Hardswish(), nn.Hardtanh(), nn.LeakyReLU(), nn.LogSigmoid(),
        nn.LogSoftmax(), nn.Mish(), nn.PReLU(), nn.RReLU(), nn.ReLU(),
        nn.ReLU6(), nn.SELU(), nn.SiLU(), nn.Sigmoid(), nn.Softmax(),
        nn.Softmax2d(), nn.Softmin(), nn.Softplus(), nn.Softshrink(), nn.Softsign(),
        nn.Tanh(), nn.Tanhshrink(), nn.Threshold(),
    ]


def losses():
    return [
        nn.BCELoss(), nn.BCEWithLogitsLoss(), nn.CTCLoss(), nn.CosineEmbeddingLoss(), nn.CrossEntropyLoss(),
        nn.GaussianNLLLoss(), nn.HingeEmbeddingLoss(), nn.HuberLoss(), nn.KLDivLoss(), nn.L1Loss(),
        nn.LinearCrossEntropyLoss(), nn.MSELoss(), nn.MarginRankingLoss(), nn.MultiLabelMarginLoss(), nn.MultiLabelSoftMarginLoss(),
        nn.MultiMarginLoss(), nn.NLLLoss(), nn.NLLLoss2d(), nn.PoissonNLLLoss(), nn.SmoothL1Loss(),
        nn.SoftMarginLoss(), nn.TripletMarginLoss(), nn.TripletMarginWithDistanceLoss(), nn.AdaptiveLogSoftmaxWithLoss(), nn.LinearCrossEntropyOptions(),
    ]


def pooling():
    return [
        nn.AdaptiveAvgPool1d(), nn.AdaptiveAvgPool2d(), nn.AdaptiveAvgPool3d(), nn.AdaptiveMaxPool1d(), nn.AdaptiveMaxPool2d(),
        nn.AdaptiveMaxPool3d(), nn.AvgPool1d(), nn.AvgPool2d(), nn.AvgPool3d(), nn.LPPool1d(),
        nn.LPPool2d(), nn.LPPool3d(), nn.MaxPool1d(), nn.MaxPool2d(), nn.MaxPool3d(),
        nn.FractionalMaxPool2d(), nn.FractionalMaxPool3d(),
    ]


def normalisation():
    return [
        nn.BatchNorm1d(), nn.BatchNorm2d(), nn.BatchNorm3d(), nn.GroupNorm(), nn.InstanceNorm1d(),
        nn.InstanceNorm2d(), nn.InstanceNorm3d(), nn.LayerNorm(), nn.LazyBatchNorm1d(), nn.LazyBatchNorm2d(),
        nn.LazyBatchNorm3d(), nn.LazyInstanceNorm1d(), nn.LazyInstanceNorm2d(), nn.LazyInstanceNorm3d(), nn.LocalResponseNorm(),
        nn.RMSNorm(), nn.SyncBatchNorm(),
    ]


def convolutions():
    return [
        nn.Conv1d(), nn.Conv2d(), nn.Conv3d(), nn.ConvTranspose1d(), nn.ConvTranspose2d(),
        nn.ConvTranspose3d(), nn.Fold(), nn.LazyConv1d(), nn.LazyConv2d(), nn.LazyConv3d(),
        nn.LazyConvTranspose1d(), nn.LazyConvTranspose2d(), nn.LazyConvTranspose3d(), nn.Unfold(),
    ]


def padding():
    return [
        nn.CircularPad1d(), nn.CircularPad2d(), nn.CircularPad3d(), nn.ConstantPad1d(), nn.ConstantPad2d(),
        nn.ConstantPad3d(), nn.ReflectionPad1d(), nn.ReflectionPad2d(), nn.ReflectionPad3d(), nn.ReplicationPad1d(),
        nn.ReplicationPad2d(), nn.ReplicationPad3d(), nn.ZeroPad1d(), nn.ZeroPad2d(), nn.ZeroPad3d(),
    ]


def recurrent():
    return [
        nn.GRU(), nn.GRUCell(), nn.LSTM(), nn.LSTMCell(), nn.RNN(),
        nn.RNNBase(), nn.RNNCell(), nn.RNNCellBase(),
    ]


def transformers():
    return [
        nn.MultiheadAttention(), nn.Transformer(), nn.TransformerDecoder(), nn.TransformerDecoderLayer(), nn.TransformerEncoder(),
        nn.TransformerEncoderLayer(),
    ]


def dropout():
    return [
        nn.AlphaDropout(), nn.Dropout(), nn.Dropout1d(), nn.Dropout2d(), nn.Dropout3d(),
        nn.FeatureAlphaDropout(),
    ]


def containers():
    return [
        nn.Container(), nn.Sequential(), nn.ModuleList(), nn.ModuleDict(), nn.ParameterList(),
        nn.ParameterDict(), nn.Parameter(), nn.Buffer(), nn.UninitializedParameter(), nn.UninitializedBuffer(),
        nn.DataParallel(), nn.Module(),
    ]


def others():
    return [
        nn.Bilinear(), nn.ChannelShuffle(), nn.CosineSimilarity(), nn.CrossMapLRN2d(), nn.Embedding(),
        nn.EmbeddingBag(), nn.Flatten(), nn.Identity(), nn.LazyLinear(), nn.MaxUnpool1d(),
        nn.MaxUnpool2d(), nn.MaxUnpool3d(), nn.PairwiseDistance(), nn.PixelShuffle(), nn.PixelUnshuffle(),
        nn.Unflatten(), nn.Upsample(), nn.UpsamplingBilinear2d(), nn.UpsamplingNearest2d(),
    ]
